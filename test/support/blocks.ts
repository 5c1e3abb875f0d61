// Blocks that a statement looks at, with all that its functions do: what it costs, whatever else the machine does.
import type { Db } from '../../src/db/db.ts';

/** Of the second time it is run: by then everything is planned. */
export async function blocksOf(db: Db, statement: string): Promise<number> {
  const session = await db.connect();
  try {
    await session.query('set enable_seqscan = off; set plan_cache_mode = force_generic_plan');
    await session.query(statement);
    const { rows } = await session.query(`explain (analyze, buffers, timing off, format json) ${statement}`);
    const { Plan: plan } = rows[0]['QUERY PLAN'][0];
    return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
  } finally {
    await session.query('discard all');
    session.release();
  }
}
