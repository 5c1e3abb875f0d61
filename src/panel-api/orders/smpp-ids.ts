// The message ids that answered an order's SMPP submits; receipts and the sender's own records use them.
import { type Queryable, row, sql } from '../../db/db.ts';

/** `ids`: of the parts that became one message; `each`: one of many orders stored as one (src/orders/known-by.ts). */
export type SmppOrigin = { ids?: (number | string)[]; each?: true } | null;

/** Ids of the nth message of the order, counted from 0; empty if it did not come over SMPP. */
export function smppIdsOf(origin: SmppOrigin, orderId: number, nth: number): string[] {
  if (origin === null) return [];
  if (origin.ids) return origin.ids.map(String);
  return [String(origin.each ? orderId + nth : orderId)];
}

const originSql = sql<{ origin: SmppOrigin }>('panel order smpp')`
  select smpp as origin from orders where id = $1 and account_id = $2`;

export async function smppOrigin(db: Queryable, accountId: number, orderId: number): Promise<SmppOrigin> {
  return (await row(db, originSql, [orderId, accountId]))?.origin ?? null;
}
