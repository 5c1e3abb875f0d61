// Points of the overview's charts. The last one is the hour or day that is still running: it is marked, or every chart
// would seem to fall at its end.
import type { OutputOf } from '../../../../src/panel-api/contract.ts';
import { deliveryRate } from '../../format.ts';
import type { ChartPoint } from '../../ui/charts.tsx';

type Series = OutputOf<'overview.read'>['series'];

export function volumePoints(series: Series, label: (at: string) => string): ChartPoint[] {
  return series.map(({ at, delivered, undelivered, filtered, waiting }, i) => ({
    x: label(at),
    delivered,
    undelivered,
    filtered,
    waiting,
    isRunning: i === series.length - 1,
  }));
}

/** Steps without an end have no rate and no point. */
export function ratePoints(series: Series, label: (at: string) => string): ChartPoint[] {
  return series.flatMap((point, i) => {
    const rate = deliveryRate(point.delivered, point.undelivered);
    return rate === null ? [] : [{ x: label(point.at), rate, isRunning: i === series.length - 1 }];
  });
}
