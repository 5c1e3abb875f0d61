// What is no longer needed goes, in small steps that hold no lock for long: finished orders after the retention period
// (their ledger entries stay), used-up idempotency keys, receipts nobody claimed in 72 hours, submissions never reported.
import { nowMs } from '../clock.ts';
import { type Db, row, run, type Sql, sql } from '../db/db.ts';
import type { Log } from '../log.ts';
import { type Loop, startLoop } from '../loop.ts';

const dayMs = 86_400_000;
const pauseMs = 30_000;
const stepsPerRound = 20;

const removeSql = sql<{ removed: number }>('retention orders')`select remove_orders_1($1, 1000) as removed`;
const steps: { statement: Sql<unknown>; olderMs: number }[] = [
  {
    statement: sql('retention keys')`delete from idempotency_keys where (account_id, key) in (
      select account_id, key from idempotency_keys where created_at < $1 order by created_at limit 1000)`,
    olderMs: dayMs,
  },
  {
    statement: sql('retention receipts')`delete from receipts where id in (
      select id from receipts where received_at < $1 order by id limit 1000)`,
    olderMs: 3 * dayMs,
  },
  {
    statement: sql('retention submissions')`delete from submissions where ctid = any (array(
      select s.ctid from submissions s where s.submitted_at < $1 limit 1000))`,
    olderMs: 10 * dayMs,
  },
  {
    statement: sql('retention refusals')`delete from api_refusals where id in (
      select id from api_refusals where at < $1 order by id limit 1000)`,
    olderMs: 30 * dayMs,
  },
  {
    statement: sql('retention parts')`delete from inbound_parts where id in (
      select id from inbound_parts where received_at < $1 order by id limit 1000)`,
    olderMs: 3 * dayMs,
  },
];

export function startRetention(db: Db, log: Log, retentionDays: number): Loop {
  return startLoop('retention', log, async () => {
    for (const step of steps) await run(db, step.statement, [new Date(nowMs() - step.olderMs)]);
    for (let i = 0; i < stepsPerRound; i++) {
      const { removed } = (await row(db, removeSql, [new Date(nowMs() - retentionDays * dayMs)]))!;
      if (removed === 0) break;
    }
    return pauseMs;
  });
}
