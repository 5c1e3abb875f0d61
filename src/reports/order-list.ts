// Orders submitted within a range of time, newest first.
import { type Queryable, row, rows, sql } from '../db/db.ts';
import { limits } from '../limits.ts';
import type { OrderSummary } from './order-report.ts';

const countSql = sql<{ count: number }>('orders count')`
  select count(*) as count from orders where account_id = $1 and submit_at >= $2 and submit_at < $3`;
const pageSql = sql<OrderSummary>('orders page')`
  select id, state, total, delivered, undelivered, submit_at as "submitAt", send_at as "sendAt", sender, reserved, consumed
  from orders where account_id = $1 and submit_at >= $2 and submit_at < $3
  order by submit_at desc, id desc limit $4 offset $5`;

export async function orderList(
  db: Queryable,
  accountId: number,
  start: Date,
  end: Date,
  page: number,
): Promise<{ count: number; orders: OrderSummary[] }> {
  const total = (await row(db, countSql, [accountId, start, end]))!.count;
  const offset = (page - 1) * limits.ordersPerPage;
  const orders = offset < total ? await rows(db, pageSql, [accountId, start, end, limits.ordersPerPage, offset]) : [];
  return { count: total, orders };
}
