// Removes what is no longer needed to match receipts: unmatched receipts and doubts after three days, submits after ten.
import { type Db, row, sql, sqlState, transaction } from '../db/db.ts';
import { dayMs, type Left, type RetentionStep, removeOlder } from '../db/retention.ts';

const steps: RetentionStep[] = [
  {
    statement: sql('retention receipts')`delete from receipts where id = any (array(
      select x.id from (select id, received_at from receipts order by id limit 1000) x where x.received_at < $1))`,
    olderMs: 3 * dayMs,
  },
  {
    statement: sql('retention unsure')`delete from unsure where (message_id, account_id, attempt) in (
      select message_id, account_id, attempt from unsure u where u.written_at < $1 and u.decide_at is null order by u.written_at limit 1000)`,
    olderMs: 3 * dayMs,
  },
  {
    statement: sql('retention part receipts')`delete from part_receipts where (message_id, part) in (
      select message_id, part from part_receipts p where p.received_at < $1 limit 1000)`,
    olderMs: 10 * dayMs,
  },
];

// Tomorrow's partition holds submits of eleven days ago. `table`: in a schema of a cluster the partition is a view of it.
const nextSql = sql<{ isEmpty: boolean; table: string }>('retention submits')`
  select not exists (select 1 from submits s where s.day = n.day) as "isEmpty", coalesce((
      select d.refobjid::regclass from pg_rewrite r join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid
      where r.ev_class = p.oid and d.refclassid = 'pg_class'::regclass and d.refobjid <> p.oid limit 1), p.oid::regclass)::text as "table"
  from (select submit_day(now() + interval '1 day') as day) n cross join lateral (select to_regclass('submits_' || n.day)::oid as oid) p`;
const lockMs = 500;
const busy = '55P03';

export async function receiptRetention(db: Db): Promise<Left> {
  const left = await removeOlder(db, steps);
  return (await emptyTomorrow(db)) ? left : 1_000;
}

/** Returns false while something is left. */
async function emptyTomorrow(db: Db): Promise<boolean> {
  const { isEmpty, table } = (await row(db, nextSql))!;
  if (isEmpty) return true;
  try {
    await transaction(db, async tx => {
      // Flushes wait for our lock, so we do not wait for it long. A cluster refuses the statement without the setting.
      await tx.query(`set local lock_timeout = ${lockMs}; set local citus.enable_manual_changes_to_shards = on`);
      await tx.query(`truncate ${table}`);
    });
    return true;
  } catch (error) {
    if (sqlState(error) === busy) return false;
    throw error;
  }
}
