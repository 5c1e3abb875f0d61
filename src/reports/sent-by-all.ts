// What all customers sent since a time, counted as in each customer's reports (traffic-count): an order belongs to the time at
// which it was to leave; scheduled orders not yet due and cancelled ones do not count.
import { type Queryable, row, sql } from '../db/db.ts';

// Bounded: on a day with more orders only the newest are counted, and the answer says so.
const ordersLookedAt = 200_000;

export type SentByAll = { total: number; delivered: number; isComplete: boolean };

// Immediate orders by id, which grows with time; scheduled ones by their own index (orders_planned_all). Messages of the
// platform and of accounts whose balance is in another cell are left out.
const sentSql = sql<SentByAll>('sent by all')`
  with fresh as (select id, account_id, state, submit_at, send_at, total, delivered from orders order by id desc limit $2),
    planned as (select id, account_id, state, submit_at, send_at, total, delivered from orders
      where send_at >= $1 and send_at > submit_at order by send_at desc limit $2),
    found as (select * from fresh where submit_at >= $1 and send_at <= submit_at union all select * from planned)
  select coalesce(sum(total), 0)::bigint as total, coalesce(sum(delivered), 0)::bigint as delivered,
    (select count(*) < $2 or min(submit_at) < $1 from fresh) and (select count(*) < $2 from planned) as "isComplete"
  from found o where state not in ('scheduled', 'cancelled')
    and account_id::text <> coalesce((select value from installation where name = 'platform-account'), '')
    and o.account_id in (select b.account_id from balances b)`;

export async function sentByAll(db: Queryable, since: Date, most = ordersLookedAt): Promise<SentByAll> {
  return (await row(db, sentSql, [since, most]))!;
}
