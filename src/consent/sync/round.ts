// One round of synchronisation: results of earlier batches, queued records, changes made elsewhere, then the checks after an
// outage. An error of the registry ends the round; the rest stays due.
import { monotonicMs } from '../../time/clock.ts';
import type { Failed } from '../registry/outcome.ts';
import { isOver, type Phase, type Sync } from './context.ts';
import { pullChanges } from './pull.ts';
import { pushQueued } from './push.ts';
import { reconcile } from './reconcile.ts';
import { collectResults } from './results.ts';

// Cumulative shares of the round's time, so that a long queue does not delay citizens' refusals.
const phases: { run: Phase; until: number }[] = [
  { run: collectResults, until: 0.25 },
  { run: pushQueued, until: 0.65 },
  { run: pullChanges, until: 0.9 },
  { run: reconcile, until: 1 },
];

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
