// How an answer is held against what had to be answered: the code first, then what came with it.
import { isDeepStrictEqual } from 'node:util';
import type { Reply } from '../support/customers/client.ts';
import { type Account, mayCall } from './world.ts';

export class Difference extends Error {}

export function expectSame(what: string, seen: unknown, promised: unknown): void {
  if (isDeepStrictEqual(seen, promised)) return;
  throw new Difference(`${what}\n  seen:     ${shortly(seen)}\n  promised: ${shortly(promised)}`);
}

function shortly(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 2_000 ? `${text.slice(0, 2_000)}…` : text;
}

/** True when the call had to succeed: then the caller looks at what came with it. */
export function expectCode(account: Account, reply: Reply, promised: number): boolean {
  const code = mayCall(account) ? promised : 401;
  expectSame('code', { http: reply.http, code: reply.code }, { http: code, code });
  return code === 200;
}
