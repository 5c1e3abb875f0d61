// Delivered and undelivered by operator over the newest messages of an account: its orders are taken newest first until
// they hold enough, so the cost does not depend on how long the account has been sending. ("offset 0": order by order,
// and not all messages of the account against all of these orders.)
import { type Queryable, rows, sql } from '../../db/db.ts';

const messagesMax = 100_000;
const ordersMax = 5_000;

const sumsSql = sql<{ block: number; delivered: number; undelivered: number }>('panel operator sums')`
  with newest as (
    select account_id, first_message_id, total, sum(total) over (order by submit_at desc, id desc) as upto
    from (select * from orders where account_id = $1 and submit_at >= $2 order by submit_at desc, id desc limit $4) o)
  select m.number / 100000 as block, count(*) filter (where m.status = 111) as delivered,
    count(*) filter (where m.status = 112) as undelivered
  from newest n cross join lateral (
    select number, status from messages where account_id = n.account_id and id >= n.first_message_id
      and id < n.first_message_id + n.total and number is not null and status <> 110 and reason not between 1 and 9
    offset 0) m
  where n.upto - n.total < $3 group by 1`;

export function operatorSums(db: Queryable, accountId: number, since: Date) {
  return rows(db, sumsSql, [accountId, since, messagesMax, ordersMax]);
}
