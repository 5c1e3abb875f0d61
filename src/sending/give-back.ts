// Gives leased chunks back early: on a clean stop, when no carrier is bound, when an account was suspended. Only chunks without submits
// in flight are given back: then each message before the mark has its answer, and throttled or half-written messages get chunks of their
// own, so no message is sent twice or forgotten.
import type { Db } from '../db/db.ts';
import { returnChunks } from '../queue/claim.ts';
import type { Recorder } from '../receipts/recorder.ts';
import type { ChunkRun } from './chunk-run.ts';
import type { Pump } from './pump.ts';

/** Returns the chunks that were given back. */
export async function giveBack(db: Db, pump: Pump, recorder: Recorder, runs: ChunkRun[]): Promise<ChunkRun[]> {
  const landed = runs.filter(run => run.flights === 0 && !run.abandoned);
  for (const run of landed) pump.setAside(run);
  const open = landed.filter(run => run.open > 0);
  await recorder.drain();
  if (open.length === 0) return [];
  await returnChunks(
    db,
    open.map(run => run.markAt(run.position)),
  );
  for (const run of open) pump.remove(run);
  return open;
}
