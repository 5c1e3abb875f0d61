// Checks that a database has what the dispatcher stored: its last heartbeat, its last batch, and the marks of its chunks. A missing mark is
// the worst: messages that were written under it look unsent.
import { setTimeout as pause } from 'node:timers/promises';
import { heldMarks } from '../queue/claim.ts';
import { storedStanding } from '../queue/dispatcher-lease.ts';
import type { MissingWrites } from '../queue/failover-check.ts';
import type { LeaseKeeper } from '../queue/lease-keeper.ts';
import type { Recorder } from '../receipts/recorder.ts';
import type { Pump } from './pump.ts';

// A chunk that ends meanwhile is deleted a moment before the dispatcher knows.
const tries = 20;
const pauseMs = 50;

export function missingDispatcherWrites(lease: LeaseKeeper, recorder: Recorder, pump: Pump): MissingWrites {
  return async db => {
    const { id, beat } = lease;
    const flush = recorder.stored.owner === id ? recorder.stored.flush : 0;
    const there = await storedStanding(db, id);
    if (!there) return `dispatcher ${id} is not there`;
    if (there.beat < beat)
      return `sign of life ${beat} of dispatcher ${id} is not there, the last one is ${there.beat}`;
    if (there.flush < flush) return `batch ${flush} of dispatcher ${id} is not there, the last one is ${there.flush}`;
    for (let tried = 1; ; tried++) {
      const runs = pump.runs.filter(run => !run.abandoned);
      const marks = runs.map(run => run.markAt(run.mark));
      const held = await heldMarks(db, marks);
      const missing = runs.find(run => !held.has(run.facts.chunkId) && pump.runs.includes(run));
      if (!missing) return null;
      if (tried === tries) return `the mark of chunk ${missing.facts.chunkId} is not there`;
      await pause(pauseMs);
    }
  };
}
