// One round of synchronisation: results of earlier batches, then what is queued, then changes made elsewhere, then what
// an outage left in doubt. Each phase ends when nothing is due, when its share of the time is over, or when the registry
// cannot be used at all (`Failed`), which ends the round: the rest stays due.
import { monotonicMs } from '../clock.ts';
import type { Db } from '../db/db.ts';
import type { Log } from '../log.ts';
import type { RegistryClient } from './registry.ts';
import type { Failed } from './registry-outcome.ts';
import type { Lease } from './sync-lease.ts';
import { pullChanges } from './sync-pull.ts';
import { pushQueued } from './sync-push.ts';
import { reconcile } from './sync-reconcile.ts';
import { collectResults } from './sync-results.ts';

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

type Phase = (sync: Sync) => Promise<Failed | null>;

// Shares of the round's time, summed: a long queue must not keep citizens' refusals waiting.
const phases: { run: Phase; until: number }[] = [
  { run: collectResults, until: 0.25 },
  { run: pushQueued, until: 0.65 },
  { run: pullChanges, until: 0.9 },
  { run: reconcile, until: 1 },
];

export function newTally(): SyncTally {
  return { sent: 0, accepted: 0, refused: 0, pulled: 0 };
}

/** `isCut`: the time was over before the work was. */
export async function runRound(sync: Sync, budgetMs: number): Promise<{ trouble: Failed | null; isCut: boolean }> {
  const startMs = monotonicMs();
  let isCut = false;
  for (const { run, until } of phases) {
    sync.untilMs = startMs + budgetMs * until;
    const trouble = await run(sync);
    if (trouble !== null) return { trouble, isCut };
    if (isOver(sync)) isCut = true;
  }
  return { trouble: null, isCut };
}

export function isOver(sync: Sync): boolean {
  return sync.isStopping() || sync.lease.isLost() || monotonicMs() >= sync.untilMs;
}
