// The minutes of a carrier in all cells, summed into steps, including empty ones.
import { rows, sql } from '../../db/db.ts';
import { everywhere } from '../call/cells.ts';
import type { UserCall } from '../call/context.ts';
import type { CarrierHistory, HistorySpan } from './carriers-contract.ts';

const spans: Record<HistorySpan, { stepSeconds: number; steps: number }> = {
  hour: { stepSeconds: 60, steps: 60 },
  day: { stepSeconds: 600, steps: 144 },
  week: { stepSeconds: 3_600, steps: 168 },
};

type Row = {
  at: Date;
  submitted: number;
  throttled: number;
  refused: number;
  receipts: number;
  undelivered: number;
  lagMs: number;
  lagCount: number;
  unanswered: number;
  waiting: number;
  owed: number;
};

const stepsSql = sql<Row>('carrier history')`
  select s.at, coalesce(sum(m.submitted), 0)::bigint as submitted, coalesce(sum(m.throttled), 0)::bigint as throttled,
    coalesce(sum(m.refused), 0)::bigint as refused, coalesce(sum(m.receipts), 0)::bigint as receipts,
    coalesce(sum(m.undelivered), 0)::bigint as undelivered, coalesce(sum(m.lag_ms), 0)::bigint as "lagMs",
    coalesce(sum(m.lag_count), 0)::bigint as "lagCount", coalesce(max(m.unanswered), 0) as unanswered,
    coalesce(max(m.waiting), 0) as waiting, coalesce(max(m.owed), 0) as owed
  from (select to_timestamp(floor(extract(epoch from now())::float8 / $2::float8) * $2::float8 - i * $2::float8) as at
    from generate_series(0, $3::integer - 1) i) s
  left join carrier_minutes m on m.carrier_id = (select id from carriers where name = $1)
    and m.minute >= s.at and m.minute < s.at + make_interval(secs => $2::float8)
  group by s.at order by s.at`;

export async function carrierHistory(call: UserCall, name: string, span: HistorySpan): Promise<CarrierHistory> {
  const { stepSeconds, steps } = spans[span];
  const all = await everywhere(call, db => rows(db, stepsSql, [name, stepSeconds, steps]));
  return { stepSeconds, points: sumsByTime(all).map(show) };
}

/** Steps of all cells by their time: queried at the same moment, they differ by at most one. */
export function sumsByTime<Row extends { at: Date }>([first = [], ...others]: Row[][]): Row[] {
  const steps = new Map(first.map(one => [one.at.getTime(), { ...one }]));
  for (const { at, ...sums } of others.flat()) {
    const step = steps.get(at.getTime()) as Record<string, unknown> | undefined;
    if (step) for (const [name, value] of Object.entries(sums)) step[name] = Number(step[name]) + Number(value);
  }
  return [...steps.values()];
}

function show({ at, lagMs, lagCount, ...sums }: Row): CarrierHistory['points'][number] {
  const tried = sums.submitted + sums.receipts;
  return {
    ...sums,
    at: at.toISOString(),
    lagSeconds: lagCount === 0 ? null : lagMs / lagCount / 1_000,
    errorShare: tried === 0 ? null : (sums.refused + sums.undelivered) / tried,
  };
}
