// The buffer blocks that a statement reads, with those of its functions: a measure of cost that is independent of load.
import type { Db, Queryable } from '../../../src/db/db.ts';

/** The smaller of the second and third run: by then everything is planned, unless a vacuum made one of them plan again. */
export async function blocksOf(db: Db, statement: string): Promise<number> {
  const session = await db.connect();
  try {
    await session.query('set enable_seqscan = off; set plan_cache_mode = force_generic_plan');
    await session.query(statement);
    return Math.min(await blocksOnce(session, statement), await blocksOnce(session, statement));
  } finally {
    // Not `discard all`: the driver would continue to use prepared statements that no longer exist.
    session.release(true);
  }
}

async function blocksOnce(session: Queryable, statement: string): Promise<number> {
  const { rows } = await session.query(`explain (analyze, buffers, timing off, format json) ${statement}`);
  const { Plan: plan } = rows[0]['QUERY PLAN'][0];
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
}
