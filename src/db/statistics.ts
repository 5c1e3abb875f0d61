// Keeps what the planner knows in step with tables that grow fast. PostgreSQL looks every minute (the embedded one every
// ten seconds); a first campaign fills empty tables with thousands of rows in one, and plans that were made for nothing
// are kept until somebody counts again. So a table is counted when it has four times the rows that the planner believes:
// some seven times from empty to ten million. By rows that are committed and not by the size of the file: counted while an
// order of 50,000 is being copied in, messages seemed to be empty, and every flush of receipts read them all (1.8 s).
import { type Db, rows, sql } from './db.ts';

const factor = 4;
// Below this no plan is bad enough to matter.
const rowsMin = 1_000;

// In a distributed schema ours are views; the tables behind them are those that our trigger guards (src/db/citus).
// What the planner believes of a table that was counted: as many rows a page as then, times the pages of today.
const outgrownSql = sql<{ table: string }>('tables that outgrew their statistics')`
  select c.oid::regclass::text as "table"
  from pg_class c cross join lateral (
    select pg_relation_size(c.oid) / current_setting('block_size')::float8 * c.reltuples / greatest(c.relpages, 1) as rows) believed
  where c.relkind = 'r' and (c.relnamespace = current_schema()::regnamespace
      or exists (select 1 from pg_trigger t where t.tgrelid = c.oid and t.tgfoid = to_regproc('refuse_moved_1')))
    and pg_stat_get_live_tuples(c.oid) > greatest($1, $2 * believed.rows)`;

export async function countOutgrown(db: Db): Promise<string[]> {
  const tables = (await rows(db, outgrownSql, [rowsMin, factor])).map(one => one.table);
  // Somebody else who counts or vacuums it already does the same work.
  for (const table of tables) await db.query(`analyze (skip_locked) ${table}`);
  return tables;
}
