// Removes what is no longer needed to match receipts: unmatched receipts and doubts after three days, submits after ten.
import { type Db, row, run, sql, sqlState, transaction } from '../db/db.ts';
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

// Tomorrow's partition holds submits of eleven days ago.
const nextSql = sql<{ day: number; isEmpty: boolean }>('retention submits')`
  select n.day, not exists (select 1 from submits s where s.day = n.day) as "isEmpty"
  from (select submit_day(now() + interval '1 day') as day) n`;
const pieceSql = sql('retention submits piece')`
  delete from submits s using (select carrier_id, smsc_id from submits where day = $1 limit 10000) x
  where s.day = $1 and s.carrier_id = x.carrier_id and s.smsc_id = x.smsc_id`;
const lockMs = 500;
const busy = '55P03';
/** In a schema of a cluster the partition is a view: truncate refuses it with this code. */
const notTable = '42809';

export async function receiptRetention(db: Db): Promise<Left> {
  const left = await removeOlder(db, steps);
  return (await emptyTomorrow(db)) ? left : 1_000;
}

/** Returns false while something is left. */
async function emptyTomorrow(db: Db): Promise<boolean> {
  const { day, isEmpty } = (await row(db, nextSql))!;
  if (isEmpty) return true;
  try {
    await transaction(db, async tx => {
      // Flushes wait for our lock, so we do not wait for it long.
      await tx.query(`set local lock_timeout = ${lockMs}`);
      await tx.query(`truncate submits_${Math.trunc(day)}`);
    });
    return true;
  } catch (error) {
    const state = sqlState(error);
    if (state === busy) return false;
    if (state !== notTable) throw error;
    return (await run(db, pieceSql, [day])) === 0;
  }
}
