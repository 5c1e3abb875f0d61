// Starts scheduled orders at their time. Only one process can move an order out of 'scheduled', so any number may run this.

import { type Db, row, rows, sql } from '../db/db.ts';
import type { Log } from '../log.ts';
import { now, nowMs } from '../time/clock.ts';
import { announceWork } from './announce.ts';
import { chunkSize } from './chunk-size.ts';

const ordersAtOnce = 20;
// An order that is due before the next regular round is waited for.
const soonMs = 1_000;

// `sendAt` is the database's text: a Date would lose microseconds, and the next page would find the same order again.
type Due = { id: number; sendAt: string; accountId: number; lane: number; rate: number };

const dueSql = sql<Due>('schedule due')`
  select o.id, o.send_at::text as "sendAt", o.account_id as "accountId", o.lane, a.rate from orders o join accounts a on a.id = o.account_id
  where o.planned and o.send_at <= $1 and a.status = 'active'
    and not exists (select 1 from dispatch_hold) and (o.send_at, o.id) > ($3::timestamptz, $4) order by o.send_at, o.id limit $2`;
// Checked again under its lock: it may have been rescheduled since.
const fireSql = sql<{ fired: boolean }>('schedule fire')`
  with due as materialized (
    select o.id, o.account_id from orders o where o.id = $2 and o.account_id = $1 and o.send_at <= $5 for update)
  select start_order(due.account_id, due.id, $3, $4) as fired from due`;
const nextSql = sql<{ at: Date | null }>(
  'schedule next',
)`select min(send_at) as at from orders where planned and send_at > $1`;

/** Starts the orders that are due; returns when to look again if that is sooner than usual. */
export async function fireDue(db: Db, log: Log, closeAfterMs: number): Promise<number | undefined> {
  let after: { sendAt: string; id: number } = { sendAt: '-infinity', id: 0 };
  for (;;) {
    const due = await rows(db, dueSql, [now(), ordersAtOnce, after.sendAt, after.id]);
    const fired = await fireEach(db, log, due, closeAfterMs);
    if (fired === ordersAtOnce) return 0;
    // Orders that cannot be started do not block the ones behind them.
    if (due.length < ordersAtOnce) break;
    after = due.at(-1)!;
  }
  const next = (await row(db, nextSql, [now()]))?.at;
  if (!next || next.getTime() - nowMs() > soonMs) return undefined;
  return Math.max(1, next.getTime() - nowMs());
}

async function fireEach(db: Db, log: Log, due: Due[], closeAfterMs: number): Promise<number> {
  let fired = 0;
  for (const one of due)
    try {
      await fireOrder(db, one, closeAfterMs, now());
      fired++;
    } catch (error) {
      log.error({ order: one.id, account: one.accountId, error: (error as Error).message }, 'schedule not fired');
    }
  return fired;
}

export async function fireOrder(
  db: Db,
  order: { id: number; accountId: number; lane: number; rate: number },
  closeAfterMs: number,
  dueBy: Date | 'infinity' = 'infinity',
): Promise<boolean> {
  const closeAfter = new Date(nowMs() + closeAfterMs);
  const answer = await row(db, fireSql, [order.accountId, order.id, chunkSize(order), closeAfter, dueBy]);
  if (answer?.fired) announceWork(db, [order]);
  return answer?.fired ?? false;
}
