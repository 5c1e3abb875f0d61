// The order that makes another one a duplicate: the same rule as in accept_order_1, to name it.
import { type Queryable, row, sql } from '../../db/db.ts';
import { limits } from '../../limits.ts';

const earlierSql = sql<{ id: number }>('panel earlier order')`
  select id from orders where account_id = $1 and fingerprint = $2 and submit_at > $3 and state <> 'cancelled'
  order by submit_at desc limit 1`;

export async function findEarlierOrder(
  db: Queryable,
  accountId: number,
  fingerprint: bigint,
  now: Date,
): Promise<number | null> {
  const since = new Date(now.getTime() - limits.duplicateWindowMs);
  return (await row(db, earlierSql, [accountId, fingerprint, since]))?.id ?? null;
}
