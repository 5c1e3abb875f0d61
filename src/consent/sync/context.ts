// What every phase of a round works with.

import type { Db } from '../../db/db.ts';
import type { Log } from '../../log.ts';
import { monotonicMs } from '../../time/clock.ts';
import type { RegistryClient } from '../registry/client.ts';
import type { Failed } from '../registry/outcome.ts';
import type { Lease } from './lease.ts';

export const hourMs = 3_600_000;

export type SyncTally = { sent: number; accepted: number; refused: number; pulled: number };

/** Moments at which a test may end the worker: after each call whose answer is not yet stored. */
export type SyncStep = 'claimed' | 'one added' | 'batch added' | 'result read' | 'changes read' | 'status read';

export type SyncPace = {
  /** Before a batch's result is asked for the first time, and again while it is empty (doubling). */
  askAfterMs: number;
  askAgainMs: number;
  askAgainMaxMs: number;
  /** A batch without a result for so long is sent again; the registry recognises what it has stored. */
  giveUpMs: number;
  pullEveryMs: number;
  /** The longest pause after trouble with the registry, whatever it asks for; the client keeps its own bounds anyway. */
  pauseMaxMs: number;
  /** Pause after another process has used the registry, which counts requests by the second. */
  quietMs: number;
};

export type Sync = {
  db: Db;
  client: RegistryClient;
  log: Log;
  pace: SyncPace;
  tally: SyncTally;
  lease: Lease;
  /** When the running phase has to end, by the monotonic clock. */
  untilMs: number;
  isStopping(): boolean;
  onStep(step: SyncStep): void;
};

/** Ends when nothing is due or the time is over (null), or when the registry cannot be used at all. */
export type Phase = (sync: Sync) => Promise<Failed | null>;

export function isOver(sync: Sync): boolean {
  return sync.isStopping() || sync.lease.isLost() || monotonicMs() >= sync.untilMs;
}
