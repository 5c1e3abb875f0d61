// Keeps the delivery tables small, and ends the 24 hours of events whose endpoint is down. Several processes may run it at the
// same time.

import { type Db, row, run, sql } from '../db/db.ts';
import { inPieces, type Left } from '../db/retention.ts';
import type { Log } from '../log.ts';
import { now, nowMs } from '../time/clock.ts';
import { pendingMax } from './refill.ts';
import { retryWindowMs } from './schedule.ts';

const keptDays = 14;
const keptSuccesses = 1_000;
// Accounts with a success within this time are checked: twice the period of the task.
const successesSeenMs = 10 * 60_000;

const giveUpSql = sql<{ count: number }>('webhook give up')`
  select webhook_give_up($1, make_interval(secs => $2), $3) as count`;

// Each statement takes a bounded piece.
const piece = 1_000;

export async function giveUpExpired(db: Db, log: Log): Promise<Left> {
  let all = 0;
  const left = await inPieces(piece, async () => {
    const { count } = (await row(db, giveUpSql, [now(), retryWindowMs / 1000, pendingMax]))!;
    all += count;
    return count;
  });
  if (all > 0) log.warn({ count: all }, 'webhook events given up');
  return left;
}
const pruneOldSql = sql<{ count: number }>('webhook prune old')`select webhook_prune($1, $2) as count`;
const pruneParkedSql = sql('webhook prune parked')`
  delete from webhook_outbox where (account_id, id) in (
    select account_id, id from webhook_outbox where parked_at is not null and parked_at < $1 order by parked_at limit $2)`;
// Keeps the newest 1,000 successes of each address that had one lately; reading the key backwards finds where they begin.
const pruneSuccessesSql = sql('webhook prune successes')`
  delete from webhook_deliveries where (account_id, outbox_id, subject_id) in (
    select p.account_id, p.outbox_id, p.subject_id from webhook_states s cross join lateral (
      select k.account_id, k.outbox_id, k.subject_id from webhook_deliveries k
      where k.account_id = s.account_id and k.state = 'delivered'
      order by k.outbox_id desc, k.subject_id desc offset $2 limit $3) p
    where s.last_success_at > $1 limit $3)`;

// Finds orders that were being stored while their address was removed. Addresses other than the first have ids below 0; from
// each the next is found.
const pruneStraySql = sql('webhook prune stray')`
  with recursive waiting(account_id) as (
    select min(account_id) from webhook_outbox where account_id < 0
    union all
    select (select min(o.account_id) from webhook_outbox o where o.account_id > w.account_id and o.account_id < 0)
    from waiting w where w.account_id is not null)
  delete from webhook_outbox where (account_id, id) in (
    select o.account_id, o.id from waiting w join webhook_outbox o on o.account_id = w.account_id
    where not exists (select 1 from webhook_endpoints e where e.account_id = w.account_id) limit $1)`;

export async function prune(db: Db): Promise<Left> {
  const oldest = new Date(nowMs() - keptDays * 86_400_000);
  const seen = new Date(nowMs() - successesSeenMs);
  const steps = [
    () => run(db, pruneStraySql, [piece]),
    async () => (await row(db, pruneOldSql, [oldest, piece]))!.count,
    () => run(db, pruneParkedSql, [oldest, piece]),
    () => run(db, pruneSuccessesSql, [seen, keptSuccesses, piece]),
  ];
  let left: Left;
  for (const step of steps) left = (await inPieces(piece, step)) ?? left;
  return left;
}
