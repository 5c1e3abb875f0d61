// Sums of the ledger, kept behind it (checkpoint_ledger): the balance after any entry is a checkpoint plus the few entries
// since. In small steps with pauses between them.

import { type Db, row, sql } from '../db/db.ts';
import { monotonicMs } from '../time/clock.ts';

const entriesAtOnce = 10_000;
const everyEntries = 200;
// A quarter of a core at most, when there is much to take in.
const restShare = 3;

const stepSql = sql<{ taken: number }>('ledger checkpoints')`select checkpoint_ledger($1, $2) as taken`;

/** Returns how many ids of entries were taken in. Which entries are safe to take is only known after a few calls. */
export async function checkpointLedger(db: Db): Promise<number> {
  return (await row(db, stepSql, [entriesAtOnce, everyEntries]))!.taken;
}

export async function checkpointRound(db: Db): Promise<number | undefined> {
  const began = monotonicMs();
  const taken = await checkpointLedger(db);
  return taken > 0 ? restShare * (monotonicMs() - began) : undefined;
}
