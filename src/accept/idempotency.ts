// Finds the order of an idempotency key. The function `accept` looks under its lock; this is asked when a request was refused, so
// that a repeat gets the first answer even if the account has changed since.

import { type Queryable, row, sql } from '../db/db.ts';
import { limits } from '../limits.ts';
import { isSameDigest } from '../sealing/content.ts';
import { Refusal } from '../status.ts';
import type { IdempotencyKey } from './draft.ts';

// The digest is compared here: it may have been stored under another setting or key than ours (src/sealing/content.ts).
const findSql = sql<{ digest: Buffer; orderId: number }>('idempotency find')`
  select body_digest as digest, order_id as "orderId" from idempotency_keys where account_id = $1 and key = $2 and created_at > $3`;

export async function findRepeat(
  db: Queryable,
  accountId: number,
  { key, bodyDigest }: IdempotencyKey,
  now: Date,
): Promise<number | null> {
  const since = new Date(now.getTime() - limits.idempotencyWindowMs);
  const found = await row(db, findSql, [accountId, key, since]);
  if (!found) return null;
  if (!isSameDigest(found.digest, bodyDigest))
    throw new Refusal(422, { 'Idempotency-Key': 'Bu anahtar başka bir istekle kullanıldı.' });
  return found.orderId;
}
