// Runs ANALYZE on tables that grow fast. Autovacuum checks every minute (in the embedded server every ten seconds); a first campaign fills
// empty tables with thousands of rows in one, and plans for empty tables are kept until the next ANALYZE. So a table is analysed when it has
// four times the rows that the planner assumes: some seven times from empty to ten million. Committed rows count, not the file size: an ANALYZE
// while 50,000 messages were being copied in found none, and then every flush of receipts read them all (1.8 s).
import { type Db, rows, sql } from './db.ts';

const factor = 4;
// Below this no plan is bad enough to matter.
const rowsMin = 1_000;

// In a distributed schema our names are views; the underlying tables are those with our trigger (src/db/citus). The planner assumes the rows
// per page of the last ANALYZE times the present pages.
const outgrownSql = sql<{ table: string }>('tables that outgrew their statistics')`
  select c.oid::regclass::text as "table"
  from pg_class c cross join lateral (
    select pg_relation_size(c.oid) / current_setting('block_size')::float8 * c.reltuples / greatest(c.relpages, 1) as rows) believed
  where c.relkind = 'r' and (c.relnamespace = current_schema()::regnamespace
      or exists (select 1 from pg_trigger t where t.tgrelid = c.oid and t.tgfoid = to_regproc('refuse_moved_1')))
    and pg_stat_get_live_tuples(c.oid) > greatest($1, $2 * believed.rows)`;

export async function countOutgrown(db: Db): Promise<string[]> {
  const tables = (await rows(db, outgrownSql, [rowsMin, factor])).map(one => one.table);
  // skip_locked: another process already analyses or vacuums the table.
  for (const table of tables) await db.query(`analyze (skip_locked) ${table}`);
  return tables;
}
