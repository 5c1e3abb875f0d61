// Orders whose carrier never said how it ended: after validity plus grace their open messages end as 112, the credit
// goes back, and what was never sent is sent no more. A receipt that comes later changes nothing.
import { now } from '../clock.ts';
import { type Db, row, rows, sql } from '../db/db.ts';
import type { Log } from '../log.ts';

const ordersAtOnce = 20;

const overdueSql = sql<{ id: number; accountId: number }>('close overdue')`
  select o.id, o.account_id as "accountId" from orders o where o.state = 'sending' and o.close_after < $1
    and not exists (select 1 from account_fences f where f.account_id = o.account_id)
    and not exists (select 1 from chunks c where c.order_id = o.id and c.account_id = o.account_id and c.lease_owner is not null)
    and not exists (
      select 1 from (select c.order_id + c.count as behind, c.lease_owner from chunks c
        where o.total = 1 and c.shared and c.order_id <= o.id order by c.order_id desc limit 1) s
      where s.lease_owner is not null and o.id < s.behind)
  order by o.close_after limit $2`;
const closeSql = sql<{ closed: number }>('close order')`select close_order_1($1, $2, $3) as closed`;

const slackMaxMs = 600_000;

/**
 * How long after the last submit open messages are closed: validity plus grace, and up to `slackMs` later, so that an
 * order's time is not written again with each of its chunks.
 */
export function closingTimes(validitySeconds: number, graceSeconds: number): { afterMs: number; slackMs: number } {
  const plainMs = (validitySeconds + graceSeconds) * 1_000;
  const slackMs = Math.round(Math.min(slackMaxMs, plainMs / 10));
  return { afterMs: plainMs + slackMs, slackMs };
}

/** 0 when there may be more. */
export async function closeOverdue(db: Db, log: Log): Promise<number | undefined> {
  const overdue = await rows(db, overdueSql, [now(), ordersAtOnce]);
  for (const one of overdue) {
    const { closed } = (await row(db, closeSql, [one.accountId, one.id, now()]))!;
    log.warn({ order: one.id, account: one.accountId, messages: closed }, 'messages without a receipt closed');
  }
  return overdue.length === ordersAtOnce ? 0 : undefined;
}
