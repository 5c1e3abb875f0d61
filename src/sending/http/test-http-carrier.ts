// One try of a carrier over HTTP: whether it is reached and lets us in, and if asked for one short message. Nothing is stored.
import type { CarrierWithPassword } from '../../carriers/carriers.ts';
import { peerOf } from './http-link.ts';
import { judge } from './rules.ts';
import { httpTemplate } from './template.ts';
import { Token } from './token.ts';

export type HttpTry = { outcome: 'bound' | 'sent' | 'failed'; error: string | null; messageId: string | null };

const failed = (error: string): HttpTry => ({ outcome: 'failed', error, messageId: null });

export async function tryHttpCarrier(
  carrier: CarrierWithPassword,
  operatorCode: string,
  message: { sender: string; number: string; text: string } | null,
): Promise<HttpTry> {
  const peer = peerOf(carrier, 1);
  try {
    await peer.reach();
    const access = await new Token(carrier, peer).ask();
    if (!message) return { outcome: 'bound', error: null, messageId: null };
    const template = httpTemplate(carrier, message.sender, message.text, 'gsm7', operatorCode);
    const submit = template.encode(message.number, 1);
    const outcome = await peer.ask(submit.request(access));
    if (outcome.kind !== 'answer') return failed(outcome.error);
    const judged = judge(carrier.definition!, outcome.status, outcome.body, submit.ownId);
    return judged.kind === 'sent' ? { outcome: 'sent', error: null, messageId: judged.id } : failed(judged.words);
  } catch (error) {
    return failed((error as Error).message);
  } finally {
    peer.close();
  }
}
