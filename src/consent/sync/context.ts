// What every phase of a round uses.

import type { Db } from '../../db/db.ts';
import type { Log } from '../../log.ts';
import { monotonicMs } from '../../time/clock.ts';
import type { RegistryClient } from '../registry/client.ts';
import type { Failed } from '../registry/outcome.ts';
import type { Lease } from './lease.ts';

export const hourMs = 3_600_000;

export type SyncTally = { sent: number; accepted: number; refused: number; pulled: number };

/** Moments at which a test may end the worker: after each call whose answer is not stored yet. */
export type SyncStep = 'claimed' | 'one added' | 'batch added' | 'result read' | 'changes read' | 'status read';

export type SyncPace = {
  /** Pause before a batch's result is asked for first, doubled while it is empty. */
  askAfterMs: number;
  askAgainMs: number;
  askAgainMaxMs: number;
  /** A batch without a result for this long is sent again; the registry recognises stored records. */
  giveUpMs: number;
  pullEveryMs: number;
  /** The longest pause after an error of the registry, whatever it asks for; the client has its own bounds. */
  pauseMaxMs: number;
  /** Pause after another process has used the registry, which counts requests per second. */
  quietMs: number;
};

export type Sync = {
  db: Db;
  client: RegistryClient;
  log: Log;
  pace: SyncPace;
  tally: SyncTally;
  lease: Lease;
  /** When the current phase must end, by the monotonic clock. */
  untilMs: number;
  isStopping(): boolean;
  onStep(step: SyncStep): void;
};

/** Ends when nothing is due or the time is over (null), or when the registry cannot be used at all. */
export type Phase = (sync: Sync) => Promise<Failed | null>;

export function isOver(sync: Sync): boolean {
  return sync.isStopping() || sync.lease.isLost() || monotonicMs() >= sync.untilMs;
}
