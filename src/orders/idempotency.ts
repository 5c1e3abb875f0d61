// Has this very request been accepted before? Looked up before anything else is judged, so that the repeat gets the
// first answer even if the account has changed since; accept_order_2 looks again under its lock.
import { type Queryable, row, sql } from '../db/db.ts';
import { limits } from '../limits.ts';
import { Refusal } from '../status.ts';
import type { IdempotencyKey } from './draft.ts';

const findSql = sql<{ code: 200 | 422; orderId: number }>('idempotency find')`
  select code, order_id as "orderId" from answer_of_key_1($1, row($2, $3, $4)::idempotency_claim)`;

export async function findRepeat(
  db: Queryable,
  accountId: number,
  { key, bodyDigest }: IdempotencyKey,
  now: Date,
): Promise<number | null> {
  const since = new Date(now.getTime() - limits.idempotencyWindowMs);
  const found = await row(db, findSql, [accountId, key, bodyDigest, since]);
  if (!found) return null;
  if (found.code === 422) throw new Refusal(422, { 'Idempotency-Key': 'Bu anahtar başka bir istekle kullanıldı.' });
  return found.orderId;
}
