// What a handler receives: the parts of the program it may use, and the facts of this call.

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
  /** Limits of the key, if it has any. */
  key?: (KeyLimits & { key: string }) | undefined;
  /** SHA-256 of path and body, computed only on demand. */
  bodyDigest(): Buffer;
};

/** Returns the result members beside `status`; undefined means status only. */
export type Handler = (call: ApiCall) => Promise<Members | undefined>;
