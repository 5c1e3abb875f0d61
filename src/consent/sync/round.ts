// One round of synchronisation: results of earlier batches, then what is queued, then changes made elsewhere, then what
// an outage left in doubt. Trouble with the registry itself ends the round; the rest stays due.
import { monotonicMs } from '../../time/clock.ts';
import type { Failed } from '../registry/outcome.ts';
import { isOver, type Phase, type Sync } from './context.ts';
import { pullChanges } from './pull.ts';
import { pushQueued } from './push.ts';
import { reconcile } from './reconcile.ts';
import { collectResults } from './results.ts';

// Shares of the round's time, summed: a long queue must not keep citizens' refusals waiting.
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
