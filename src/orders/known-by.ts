// Finds the order of an id: the order with that id, or one in which 0.2.0 stored up to 128 SMPP submits, whose ids count up from the
// id of the order.
import { type Queryable, row, sql } from '../db/db.ts';

const jointMax = 128;
// Ids of such an order belong to no other, so only the last order up to the id can have it. accountId null: any account.
const knownSql = sql<{ id: number }>('order known by')`
  select o.id from (
    select x.id, x.total, x.smpp from orders x
    where x.id between $2::bigint - $3 + 1 and $2 and ($1::bigint is null or x.account_id = $1) order by x.id desc limit 1) o
  where o.id = $2 or (o.smpp ? 'each' and o.id + o.total > $2)`;

export async function orderKnownBy(db: Queryable, accountId: number | null, id: number): Promise<number | null> {
  return (await row(db, knownSql, [accountId, id, jointMax]))?.id ?? null;
}

/** What `find` finds under this id, or under the id of the order in which 0.2.0 stored it. */
export async function knownBy<T>(
  db: Queryable,
  accountId: number | null,
  id: number,
  find: (orderId: number) => Promise<T | undefined>,
): Promise<T | undefined> {
  const found = await find(id);
  if (found !== undefined) return found;
  const orderId = await orderKnownBy(db, accountId, id);
  return orderId === null || orderId === id ? undefined : find(orderId);
}
