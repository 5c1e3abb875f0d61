// What the submits of an order were answered with over SMPP: in receipts and in the sender's books this is the message's name.
import { type Queryable, row, sql } from '../../db/db.ts';

/** `ids`: of the parts that became one message; `each`: one of many orders in one (src/orders/known-by.ts). */
export type SmppOrigin = { ids?: (number | string)[]; each?: true } | null;

/** Of the nth message of the order, counted from 0; none when it did not come over SMPP. */
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
