// Adds the counts of links and HTTP callbacks to metrics: links come and go, but totals only grow.
import type { LinkCounts } from '../../carriers/carrier-history.ts';
import { carrierTotals } from '../../metrics/metrics.ts';

type Counting = { carrier: { name: string }; counts: LinkCounts };

const names = Object.keys(carrierTotals) as (keyof typeof carrierTotals)[];
/** Counts of each source that are in the totals. */
const counted = new WeakMap<Counting, LinkCounts>();

export function countUp(all: Counting[]): void {
  for (const one of all) {
    const before = counted.get(one);
    for (const name of names)
      carrierTotals[name].inc({ carrier: one.carrier.name }, one.counts[name] - (before?.[name] ?? 0));
    counted.set(one, { ...one.counts });
  }
}
