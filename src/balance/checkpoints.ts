// Keeps checkpoints of the ledger (checkpoint_ledger): the balance after any entry is a checkpoint plus the few entries since.
// The work is done in small steps with pauses.

import { type Db, row, sql } from '../db/db.ts';
import { monotonicMs } from '../time/clock.ts';

const entriesAtOnce = 10_000;
const everyEntries = 200;
// At most a quarter of a core, even with a backlog.
const restShare = 3;

const stepSql = sql<{ taken: number }>('ledger checkpoints')`select checkpoint_ledger($1, $2) as taken`;

/** Returns how many entry ids were processed. The first calls only find out which entries are safe to take. */
export async function checkpointLedger(db: Db): Promise<number> {
  return (await row(db, stepSql, [entriesAtOnce, everyEntries]))!.taken;
}

export async function checkpointRound(db: Db): Promise<number | undefined> {
  const began = monotonicMs();
  const taken = await checkpointLedger(db);
  return taken > 0 ? restShare * (monotonicMs() - began) : undefined;
}
