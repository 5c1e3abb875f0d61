// Has this very request been accepted before? Looked up before anything else is judged, so that the repeat gets the
// first answer even if the account has changed since; accept_order_1 looks again under its lock.
import { type Queryable, row, sql } from '../db/db.ts';
import { limits } from '../limits.ts';
import { Refusal } from '../status.ts';
import type { IdempotencyKey } from './draft.ts';

const findSql = sql<{ orderId: number; same: boolean }>('idempotency find')`
  select order_id as "orderId", body_digest = $3 as same from idempotency_keys
  where account_id = $1 and key = $2 and created_at > $4`;

export async function findRepeat(
  db: Queryable,
  accountId: number,
  { key, bodyDigest }: IdempotencyKey,
  now: Date,
): Promise<number | null> {
  const since = new Date(now.getTime() - limits.idempotencyWindowMs);
  const found = await row(db, findSql, [accountId, key, bodyDigest, since]);
  if (!found) return null;
  if (!found.same) throw new Refusal(422, { 'Idempotency-Key': 'Bu anahtar başka bir istekle kullanıldı.' });
  return found.orderId;
}
