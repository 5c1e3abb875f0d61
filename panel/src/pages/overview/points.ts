// The chart's steps. The last hour or day is still running and is marked as such; otherwise every chart would seem to fall at
// its end.
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { deliveryRate } from '../../format.ts';
import type { TrendStep } from '../../ui/trend.tsx';

type Series = OutputOf<'overview.read'>['series'];
export type Shown = 'total' | 'rate' | 'undelivered' | 'credits';

export function trendSteps(series: Series, shown: Shown, label: (at: string) => string): TrendStep[] {
  return series.map((one, at) => ({
    label: label(one.at),
    parts: partsOf(one, shown),
    before: shown === 'total' ? one.before.total : shown === 'rate' ? 0 : one.before[shown],
    rate: deliveryRate(one.delivered, one.undelivered),
    isRunning: at === series.length - 1,
  }));
}

function partsOf(one: Series[number], shown: Shown): TrendStep['parts'] {
  if (shown === 'undelivered') return [{ key: 'undelivered', value: one.undelivered }];
  if (shown === 'credits') return [{ key: 'credits', value: one.credits }];
  if (shown === 'rate') return [];
  return [
    { key: 'delivered', value: one.delivered },
    { key: 'filtered', value: one.filtered },
    { key: 'undelivered', value: one.undelivered },
    { key: 'waiting', value: one.waiting },
  ];
}

/** Change against the period before; null where there is nothing to compare with. */
export function changeOf(now: number, before: number): number | null {
  return before === 0 ? null : (now - before) / before;
}
