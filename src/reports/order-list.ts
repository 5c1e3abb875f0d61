// Orders submitted within a range of time, newest first.
import { type Queryable, rows, type Sql } from '../db/db.ts';
import { limits } from '../limits.ts';
import { type OrderSummary, summaryColumns } from './order-report.ts';

// One statement, so that count and page belong to the same moment. A page without orders is one row of nulls.
const pageSql: Sql<{ count: number } & (OrderSummary | { id: null })> = {
  name: 'orders page',
  text: `select c.count, p.* from (
      select count(*) as count from orders where account_id = $1 and submit_at >= $2 and submit_at < $3) c
    left join (
      select ${summaryColumns} from orders o where o.account_id = $1 and o.submit_at >= $2 and o.submit_at < $3
      order by o.submit_at desc, o.id desc limit $4 offset $5) p on true
    order by p."submitAt" desc, p.id desc`,
};
/** More orders than any account has. */
const offsetMax = 2 ** 31;

export async function orderList(
  db: Queryable,
  accountId: number,
  start: Date,
  end: Date,
  page: number,
): Promise<{ count: number; orders: OrderSummary[] }> {
  const offset = Math.min((page - 1) * limits.ordersPerPage, offsetMax);
  const found = await rows(db, pageSql, [accountId, start, end, limits.ordersPerPage, offset]);
  return { count: found[0]!.count, orders: found.filter(one => one.id !== null) };
}
