// Verifies that a webhook call comes from the server and is recent, and reads its event. WebCrypto compares in constant
// time.
import type { WebhookEvent } from './wire.ts';

export type WebhookCall = {
  /** The secret of the address, from the panel. */
  secret: string;
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** As received, before any parsing. */
  body: string | Uint8Array | ArrayBuffer;
  /** The largest difference between its time and ours; default 300. */
  toleranceSeconds?: number;
  /** For tests; default: the clock. */
  now?: Date;
};

/** `id` is the same on every repeat of an event: ignore an id that you have seen before. */
export type VerifiedWebhook = { id: string; event: WebhookEvent };

/** The call is not from the server, too old, or altered. Answer it with 401. */
export class PeykWebhookError extends Error {
  override readonly name = 'PeykWebhookError';
}

export async function verifyWebhook(call: WebhookCall): Promise<VerifiedWebhook> {
  const [timestamp, signatures, id] = ['timestamp', 'signature', 'delivery'].map(name => headerOf(call.headers, name));
  if (!timestamp || !signatures || !id) throw new PeykWebhookError('the headers of a webhook are missing');
  const seconds = (call.now ?? new Date()).getTime() / 1_000;
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(seconds - Number(timestamp)) > (call.toleranceSeconds ?? 300))
    throw new PeykWebhookError('the webhook is too old, or the clock is wrong');
  const body = bytesOf(call.body);
  if (!(await isSigned(call.secret, timestamp, signatures, body)))
    throw new PeykWebhookError('the signature does not fit');
  return { id, event: JSON.parse(decoder.decode(body)) as WebhookEvent };
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** There are two signatures while a secret is being replaced; one valid signature is enough. */
async function isSigned(secret: string, timestamp: string, signatures: string, body: Uint8Array): Promise<boolean> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['verify']);
  const start = encoder.encode(`${timestamp}.`);
  const signed = new Uint8Array(start.length + body.length);
  signed.set(start);
  signed.set(body, start.length);
  for (const one of signatures.split(',').slice(0, 4)) {
    const match = /^\s*v1=([0-9a-f]{64})\s*$/.exec(one);
    if (match && (await crypto.subtle.verify('HMAC', key, hexBytes(match[1]!), signed))) return true;
  }
  return false;
}

function headerOf(headers: WebhookCall['headers'], name: string): string | undefined {
  const header = `x-peyk-${name}`;
  if (headers instanceof Headers) return headers.get(header) ?? undefined;
  const found = Object.keys(headers).find(one => one.toLowerCase() === header);
  const value = found === undefined ? undefined : headers[found];
  return typeof value === 'string' ? value : value?.[0];
}

function bytesOf(body: WebhookCall['body']): Uint8Array {
  if (typeof body === 'string') return encoder.encode(body);
  return body instanceof Uint8Array ? body : new Uint8Array(body);
}

function hexBytes(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g)!, pair => Number.parseInt(pair, 16));
}
