// What a handler gets: the program's parts it may use, and the facts of this call.

import type { AcceptQueue } from '../accept/accept-queue.ts';
import type { Account } from '../accounts/account.ts';
import type { KeyLimits } from '../accounts/key-limits.ts';
import type { Db } from '../db/db.ts';
import type { Members } from './envelope.ts';

export type ApiParts = { db: Db; orders: AcceptQueue };

export type ApiCall = ApiParts & {
  account: Account;
  /** The `request` object of the envelope. */
  request: Members;
  now: Date;
  idempotencyKey: string | undefined;
  /** What the key may do, where it has limits of its own. */
  key?: (KeyLimits & { key: string }) | undefined;
  /** SHA-256 of path and body, made only when asked for. */
  bodyDigest(): Buffer;
};

/** The result members beside `status`; undefined = status only. */
export type Handler = (call: ApiCall) => Promise<Members | undefined>;
