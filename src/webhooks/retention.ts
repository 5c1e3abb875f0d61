// Keeps the tables of deliveries small, and ends the 24 hours of events whose endpoint is down. Any number of
// processes may do it at the same time.

import { type Db, row, run, sql } from '../db/db.ts';
import type { Log } from '../log.ts';
import { now, nowMs } from '../time/clock.ts';
import { pendingMax } from './refill.ts';
import { retryWindowMs } from './schedule.ts';

const keptDays = 14;
const keptSuccesses = 1_000;
// Accounts with a success within this time are looked at: twice the period of the task.
const successesSeenMs = 10 * 60_000;

const giveUpSql = sql<{ count: number }>('webhook give up')`
  select webhook_give_up_1($1, make_interval(secs => $2), $3) as count`;

export async function giveUpExpired(db: Db, log: Log): Promise<number> {
  const { count } = (await row(db, giveUpSql, [now(), retryWindowMs / 1000, pendingMax]))!;
  if (count > 0) log.warn({ count }, 'webhook events given up');
  return count;
}

const pruneOldSql = sql('webhook prune old')`
  delete from webhook_deliveries where created_at < $1 and state <> 'pending'`;
const pruneParkedSql = sql('webhook prune parked')`
  delete from webhook_outbox where parked_at is not null and parked_at < $1`;
// The newest 1,000 successes of each address that had one lately; the key read backwards finds where they begin.
const pruneSuccessesSql = sql('webhook prune successes')`
  delete from webhook_deliveries d using webhook_states s cross join lateral (
    select k.outbox_id, k.subject_id from webhook_deliveries k where k.account_id = s.account_id and k.state = 'delivered'
    order by k.outbox_id desc, k.subject_id desc offset $2 limit 1) k
  where s.last_success_at > $1 and d.account_id = s.account_id and d.state = 'delivered'
    and (d.outbox_id, d.subject_id) <= (k.outbox_id, k.subject_id)`;

// An order that was being stored while its address was removed.
const pruneStraySql = sql('webhook prune stray')`
  delete from webhook_outbox o
  where o.account_id < 0 and not exists (select 1 from webhook_endpoints e where e.account_id = o.account_id)`;

// Addresses and what is to be posted to them come one table after another: none is a stray then.
const movingSql = sql<{ moving: boolean }>('webhook prune later')`
  select exists (select 1 from account_fences where why <> 'left') as moving`;

export async function prune(db: Db): Promise<void> {
  if ((await row(db, movingSql))!.moving) return;
  await run(db, pruneStraySql);
  const oldest = new Date(nowMs() - keptDays * 86_400_000);
  await run(db, pruneOldSql, [oldest]);
  await run(db, pruneParkedSql, [oldest]);
  await run(db, pruneSuccessesSql, [new Date(nowMs() - successesSeenMs), keptSuccesses]);
}
