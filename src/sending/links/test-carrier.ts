// One try of a carrier as a form describes it: bind, and if asked for one short message, then unbind. Nothing is charged, and it
// ends within twenty seconds whatever the peer does. Of the message is stored what tells its receipt from those of others.

import { fieldsOf } from '../../carriers/carrier-fields.ts';
import { propertyOf, readSetting } from '../../carriers/carrier-settings.ts';
import { type CarrierWithPassword, simulatorName } from '../../carriers/carriers.ts';
import { secretPrefix } from '../../carriers/http/placeholders.ts';
import { definitionOf } from '../../carriers/http/presets.ts';
import { normaliseMessageId } from '../../carriers/message-ids.ts';
import type { Queryable } from '../../db/db.ts';
import { noteTest, noteTestAnswer } from '../../receipts/test-messages.ts';
import { connect } from '../../smpp/client.ts';
import { BindError } from '../../smpp/pdu-error.ts';
import type { Session } from '../../smpp/session.ts';
import { statusName } from '../../smpp/status.ts';
import { monotonicMs } from '../../time/clock.ts';
import { tryHttpCarrier } from '../http/test-http-carrier.ts';
import { Templates } from './submit.ts';

export type CarrierTest = {
  outcome: 'bound' | 'sent' | 'failed';
  /** In the words of the protocol or the system; null when it went well. */
  error: string | null;
  messageId: string | null;
  ms: number;
};
export type TestMessage = { sender: string; number: string; text: string };

const connectTimeoutMs = 8_000;
const answerTimeoutMs = 8_000;
const unbindMs = 2_000;

/** `given`: settings by their flags, all of them readable; a description and secrets among them. */
export function carrierOf(given: Record<string, string>, password: string): CarrierWithPassword {
  const own = given['definition'] ? JSON.parse(given['definition']) : null;
  const secrets = Object.entries(given).filter(([flag]) => flag.startsWith(secretPrefix));
  const carrier: Record<string, unknown> = {
    id: 0,
    name: simulatorName,
    changedAt: new Date(0),
    paused: false,
    password,
    secrets: {
      ...Object.fromEntries(secrets.map(([flag, value]) => [flag.slice(secretPrefix.length), value])),
      password,
    },
    callbackUrl: '',
    definition: definitionOf(given['preset'] || null, given['preset'] ? null : own),
  };
  for (const { name, initial } of fieldsOf(given['kind'] === 'http' ? 'http' : 'smpp'))
    carrier[propertyOf(name)] = readSetting(name, given[name] ?? initial);
  return carrier as CarrierWithPassword;
}

/** `carrier.id`: 0 where it is not stored yet. */
export async function testCarrier(
  db: Queryable,
  carrier: CarrierWithPassword,
  operatorCode: string,
  message: TestMessage | null,
): Promise<CarrierTest> {
  const number = Number(message?.number.replace(/\D/g, '') ?? 0);
  if (message) await noteTest(db, carrier.id, number);
  const told = await tryCarrier(carrier, operatorCode, message);
  const id = normaliseMessageId(told.messageId ?? '', carrier.answerIdFormat);
  if (message) await noteTestAnswer(db, carrier.id, number, id);
  return told;
}

async function tryCarrier(
  carrier: CarrierWithPassword,
  operatorCode: string,
  message: TestMessage | null,
): Promise<CarrierTest> {
  const began = monotonicMs();
  const told = (outcome: CarrierTest['outcome'], error: string | null, messageId: string | null): CarrierTest => ({
    ...{ outcome, error, messageId },
    ms: Math.round(monotonicMs() - began),
  });
  if (carrier.kind === 'http') {
    const { outcome, error, messageId } = await tryHttpCarrier(carrier, operatorCode, message);
    return told(outcome, error, messageId);
  }
  let answered: (answer: { status: number; id: string } | null) => void = () => {};
  const answer = new Promise<{ status: number; id: string } | null>(resolve => {
    answered = resolve;
  });
  let session: Session<string> | undefined;
  try {
    session = await connect<string>(connectOptions(carrier), {
      onSubmitAnswer: (_, status, id) => answered({ status, id }),
      onSubmitLost: () => answered(null),
      onLateAnswer: () => {},
      onRoom: () => {},
      // A receipt belongs to the dispatcher's own bind, which the carrier will try next.
      onRequest: (pdu, at) => at.respond('generic_nack', pdu.sequence, 0x08),
      onClose: () => answered(null),
      onProtocolError: () => {},
    });
    if (!message) return told('bound', null, null);
    if (!session.submit(bodyOf(carrier, operatorCode, message), '')) return told('failed', 'session is closed', null);
    const said = await answer;
    if (!said) return told('failed', `no answer in time`, null);
    if (said.status !== 0) return told('failed', `submit refused: ${statusName(said.status)}`, null);
    return told('sent', null, said.id);
  } catch (error) {
    const words = error instanceof BindError ? `bind refused: ${statusName(error.status)}` : (error as Error).message;
    return told('failed', words, null);
  } finally {
    await session?.unbind(unbindMs);
  }
}

function connectOptions(carrier: CarrierWithPassword) {
  const { host, port, systemId, password, systemType } = carrier;
  return {
    ...{ host, port, systemId, password, systemType, window: 1, connectTimeoutMs },
    ...(carrier.tls ? { tls: { rejectUnauthorized: carrier.tlsVerify } } : {}),
    bind: carrier.bindType === 'transceiver' ? ('transceiver' as const) : ('transmitter' as const),
    responseTimeoutMs: answerTimeoutMs,
    enquireLinkMs: 60_000,
  };
}

/** Without a receipt: nobody would wait for it. */
function bodyOf(carrier: CarrierWithPassword, operatorCode: string, { sender, number, text }: TestMessage): Buffer {
  const [part] = new Templates(operatorCode).of(carrier, sender, text, 'gsm7');
  return part!.encode(number, 1) as Buffer;
}
