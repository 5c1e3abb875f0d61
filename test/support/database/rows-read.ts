// Exact number of rows that some work reads of each table: counted by the server inside one transaction.
import type { Db, Tx } from '../../../src/db/db.ts';

// Otherwise autovacuum's statistics change after some seconds and affect a slow test.
const neverCounted = `do $$ declare t regclass; begin
  for t in select oid from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace loop
    execute format('alter table %s set (autovacuum_enabled = off)', t);
  end loop; end $$`;

/** Statistics as they are for tables that are filled faster than they are analysed; plans are kept until then. */
export const beliefs = {
  'nothing is known of the tables': neverCounted,
  // As counted while their first rows are being stored.
  'the tables are believed to be empty': `${neverCounted}; update pg_class set reltuples = 0, relpages = 100
    where relkind = 'r' and relnamespace = 'public'::regnamespace`,
};

export async function rowsRead(db: Db, work: (tx: Tx) => Promise<unknown>): Promise<Record<string, number>> {
  const tx = await db.connect();
  try {
    await tx.query('begin');
    // Includes what the session read before and has not published yet.
    const before = await soFar(tx);
    await work(tx);
    const after = await soFar(tx);
    await tx.query('commit');
    return Object.fromEntries(Object.entries(after).map(([table, read]) => [table, read - (before[table] ?? 0)]));
  } finally {
    tx.release();
  }
}

async function soFar(tx: Tx): Promise<Record<string, number>> {
  const { rows } = await tx.query<{ name: string; read: number }>(
    // Tables of a cluster's schema end with the number of their shard.
    `select regexp_replace(relname, '_[0-9]{6,}$', '') as name, sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::float8 as read
     from pg_stat_xact_user_tables group by 1`,
  );
  return Object.fromEntries(rows.map(one => [one.name, one.read]));
}
