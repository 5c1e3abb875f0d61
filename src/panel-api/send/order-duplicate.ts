// Finds the order that makes another one a duplicate, by the rule of acceptance (duplicates), to name it.
import { type Queryable, row, sql } from '../../db/db.ts';
import { limits } from '../../limits.ts';

const earlierSql = sql<{ id: number }>('panel earlier order')`
  select id from duplicates($1, $2, $3) order by submit_at desc limit 1`;

export async function findEarlierOrder(
  db: Queryable,
  accountId: number,
  fingerprint: bigint,
  now: Date,
): Promise<number | null> {
  const since = new Date(now.getTime() - limits.duplicateWindowMs);
  return (await row(db, earlierSql, [accountId, fingerprint, since]))?.id ?? null;
}
