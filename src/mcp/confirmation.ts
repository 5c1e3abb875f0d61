// The confirmation with which an assistant sends what it has shown: it names the exact order, its price and its expiry,
// signed with the caller's own hash, which the assistant's model never sees. So nothing is stored, every node can check
// it, rotating the key invalidates it, and an order that differs in a letter needs a preview of its own.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { sha256 } from '../sealing/digest.ts';
import { nowMs } from '../time/clock.ts';

type Signer = { key: string; hash: string };
type Confirmed = { credits: number; idempotencyKey: string };

// Long enough for a person to read and agree, too short to be reused from yesterday's conversation.
const confirmationMs = 10 * 60_000;

export function confirmationFor(
  signer: Signer,
  order: unknown,
  credits: number,
): { confirmation: string; until: Date } {
  const until = nowMs() + confirmationMs;
  return {
    confirmation: `${until}.${credits}.${signatureOf(signer, order, until, credits)}`,
    until: new Date(until),
  };
}

/** null: it is invalid, expired, or belongs to another order, key or price. */
export function readConfirmation(signer: Signer, order: unknown, given: unknown): Confirmed | null {
  const match = typeof given === 'string' ? /^(\d{1,15})\.(\d{1,15})\.([\w-]{43})$/.exec(given) : null;
  if (!match) return null;
  const [until, credits, signature] = [Number(match[1]), Number(match[2]), match[3]!];
  const expected = signatureOf(signer, order, until, credits);
  if (!timingSafeEqual(Buffer.from(signature), Buffer.from(expected)) || nowMs() > until) return null;
  // A repeated confirmation sends once.
  return { credits, idempotencyKey: `mcp ${signature}` };
}

function signatureOf({ key, hash }: Signer, order: unknown, until: number, credits: number): string {
  const said = ['peyk send', key, until, credits, sha256(canonical(order)).toString('hex')].join('\n');
  return createHmac('sha256', hash).update(said).digest('base64url');
}

/** Equal members give equal text, whatever their order. */
export function canonical(value: unknown): string {
  return JSON.stringify(value ?? null, (_name, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
}
