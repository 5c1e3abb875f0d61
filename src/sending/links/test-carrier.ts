// Tests a carrier with the settings of a form: bind, send one short message if asked, unbind. Nothing is charged, and the test ends within
// twenty seconds whatever the peer does. The id of the message is stored, so that its receipt ends no customer's message.

import type { CarrierWithPassword } from '../../carriers/carriers.ts';
import { normaliseMessageId } from '../../carriers/message-ids.ts';
import type { Queryable } from '../../db/db.ts';
import { silentLog } from '../../log.ts';
import { noteTest, noteTestAnswer } from '../../receipts/test-messages.ts';
import { monotonicMs } from '../../time/clock.ts';
import { linkTo } from './router.ts';
import { type Outgoing, Templates } from './submit.ts';

type CarrierTest = {
  outcome: 'bound' | 'sent' | 'failed';
  /** The error of the protocol or the system; null on success. */
  error: string | null;
  messageId: string | null;
  ms: number;
};
export type TestMessage = { sender: string; number: string; text: string };

const patienceMs = 16_000;

/** `carrier.id`: 0 = the carrier is not stored yet. */
export async function testCarrier(
  db: Queryable,
  carrier: CarrierWithPassword,
  operatorCode: string,
  message: TestMessage | null,
): Promise<CarrierTest> {
  const number = Number(message?.number.replace(/\D/g, '') ?? 0);
  if (message) await noteTest(db, carrier.id, number);
  const result = await tryCarrier(carrier, operatorCode, message);
  const id = normaliseMessageId(result.messageId ?? '', carrier.answerIdFormat);
  if (message) await noteTestAnswer(db, carrier.id, number, id);
  return result;
}

/** Uses a link like any other, unknown to the router. */
async function tryCarrier(
  carrier: CarrierWithPassword,
  operatorCode: string,
  message: TestMessage | null,
): Promise<CarrierTest> {
  const began = monotonicMs();
  let end: (outcome: CarrierTest['outcome'], error: string | null, messageId?: string) => void = () => {};
  const result = new Promise<CarrierTest>(resolve => {
    end = (outcome, error, messageId = '') =>
      resolve({ outcome, error, messageId: messageId || null, ms: Math.round(monotonicMs() - began) });
  });
  const link = linkTo(
    { ...carrier, windowSize: 1, bindType: carrier.bindType === 'separate' ? 'transmitter' : carrier.bindType },
    0,
    {
      locks: { take: async () => true, give: async () => {} },
      log: silentLog,
      events: {
        onAccepted: (_link, _token, id) => end('sent', null, id),
        onRefused: (_link, _token, _verdict, words) => end('failed', words),
        onLost: () => end('failed', 'no answer in time'),
        onLateAccepted() {},
        onRoom() {},
        // Receipts are refused here: the carrier repeats them to the dispatcher's bind.
        onRequest: (_link, pdu, at) => at.respond('generic_nack', pdu.sequence, 0x08),
        onState(one) {
          if (one.bound && !message) end('bound', null);
          else if (one.bound && !one.submit(bodyOf(carrier, operatorCode, message!), ''))
            end('failed', 'session is closed');
          else if (one.state === 'down') end('failed', one.lastError);
        },
        onTrouble() {},
        mayWrite: () => true,
      },
    },
  );
  link.start();
  const patience = setTimeout(() => end('failed', 'no answer in time'), patienceMs);
  const outcome = await result;
  clearTimeout(patience);
  await link.stop();
  return outcome;
}

function bodyOf(carrier: CarrierWithPassword, operatorCode: string, { sender, number, text }: TestMessage): Outgoing {
  const [part] = new Templates(operatorCode).of(carrier, { sender, text, encoding: 'gsm7' });
  return part!.encode(number, 1);
}
