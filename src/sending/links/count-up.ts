// What links count, and those to whom carriers over HTTP post, becomes figures: links go, the totals only grow.
import type { LinkCounts } from '../../carriers/carrier-history.ts';
import { carrierTotals } from '../../metrics/metrics.ts';

type Counting = { carrier: { name: string }; counts: LinkCounts };

const names = Object.keys(carrierTotals) as (keyof typeof carrierTotals)[];
/** What of each was told already. */
const told = new WeakMap<Counting, LinkCounts>();

export function countUp(all: Counting[]): void {
  for (const one of all) {
    const before = told.get(one);
    for (const name of names)
      carrierTotals[name].inc({ carrier: one.carrier.name }, one.counts[name] - (before?.[name] ?? 0));
    told.set(one, { ...one.counts });
  }
}
