// Blocks that a statement looks at, with all that its functions do: what it costs, whatever else the machine does.
import type { Db, Queryable } from '../../../src/db/db.ts';

/** The least of the second and third time it is run: by then everything is planned, unless a vacuum beside it made one of them plan anew. */
export async function blocksOf(db: Db, statement: string): Promise<number> {
  const session = await db.connect();
  try {
    await session.query('set enable_seqscan = off; set plan_cache_mode = force_generic_plan');
    await session.query(statement);
    return Math.min(await blocksOnce(session, statement), await blocksOnce(session, statement));
  } finally {
    // Not `discard all`: the driver would go on using statements that this session had prepared for others.
    session.release(true);
  }
}

async function blocksOnce(session: Queryable, statement: string): Promise<number> {
  const { rows } = await session.query(`explain (analyze, buffers, timing off, format json) ${statement}`);
  const { Plan: plan } = rows[0]['QUERY PLAN'][0];
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
}
