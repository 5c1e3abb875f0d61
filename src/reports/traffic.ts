// What an account sent, by the hour in which it was to leave, cut by sender, source or operator. Hours that cannot change any
// more are counted once and stored (traffic_sums); the others are counted each time, newest first, for a bounded time. The rest
// waits for the next call, and the answer says so.

import { type Db, row, rows, snapshot, sql } from '../db/db.ts';
import { monotonicMs, toTurkeyTime } from '../time/clock.ts';
import { addTraffic, type Counted, noTraffic } from './sums.ts';
import { countHours, type Hour, type HourSums, hourMs, keepHours } from './traffic-count.ts';

/** The requested period (hour, day or month in Turkey, or all together) and at most one of the dimensions. */
export type Cut = { grain: keyof typeof grains; by: 'sender' | 'source' | 'operator' | null };
export type TrafficRow = Counted & {
  /** '2026-11-15 14', '2026-11-15', '2026-11' or ''. */
  at: string;
  /** The sender, the source or the operator; '' without a dimension. */
  key: string;
};
type Traffic = { cuts: TrafficRow[][]; isComplete: boolean };

const grains = { hour: 13, day: 10, month: 7, all: 0 } as const;
// The current hour first: a busy account has a million orders in it. Runs grow while counting is quick, and shrink when it is
// slow.
const firstSliceHours = 1;
const longestSliceHours = 24 * 32;
const growth = 8;
const quickMs = 100;
const slowMs = 1_000;
const countingMaxMs = 4_000;

const keptSql = sql<TrafficRow>('traffic kept')`
  select left(to_char(hour at time zone 'Europe/Istanbul', 'YYYY-MM-DD HH24'), $4) as at,
    case $5::text when 'sender' then sender when 'source' then source when 'operator' then operator else '' end as key,
    sum(orders)::bigint as orders, sum(total)::bigint as total, sum(delivered)::bigint as delivered,
    sum(undelivered)::bigint as undelivered, sum(filtered)::bigint as filtered, sum(credits)::bigint as credits
  from traffic_sums where account_id = $1 and hour >= $2 and hour < $3 and (operator = 'all') = ($5::text is distinct from 'operator')
  group by 1, 2`;
const settledSql = sql<{ hour: Date; settled: boolean; changes: number }>('traffic settled')`
  select hour, settled, changes from traffic_counted where account_id = $1 and hour >= $2 and hour < $3`;
const firstSql = sql<{ at: Date | null }>('traffic first')`
  select min(submit_at) as at from orders where account_id = $1`;

/** Whole hours from `from` up to `to`; future orders are in none of them. */
export async function traffic(
  db: Db,
  accountId: number,
  range: { from: Date; to: Date },
  now: Date,
  cuts: Cut[],
): Promise<Traffic> {
  const from = floorHour(range.from.getTime());
  const to = Math.min(ceilHour(range.to.getTime()), floorHour(now.getTime()) + hourMs);
  const stored = await snapshot(db, async tx => {
    const bounds = [accountId, new Date(from), new Date(to)];
    const known = await rows(tx, settledSql, bounds);
    const kept: TrafficRow[][] = [];
    for (const cut of cuts) kept.push(await rows(tx, keptSql, [...bounds, grains[cut.grain], cut.by]));
    return { known, kept, first: (await row(tx, firstSql, [accountId]))?.at ?? null };
  });
  const begin = stored.first ? Math.max(from, floorHour(stored.first.getTime())) : to;
  const open = openHours(stored.known, begin, to);
  const { counted, isComplete } = await countOpen(db, accountId, open, now);
  return { cuts: cuts.map((cut, i) => merge(stored.kept[i]!, counted, cut)), isComplete };
}

function openHours(known: { hour: Date; settled: boolean; changes: number }[], from: number, to: number): Hour[] {
  const byHour = new Map(known.map(one => [one.hour.getTime(), one]));
  const open: Hour[] = [];
  for (let at = to - hourMs; at >= from; at -= hourMs)
    if (!byHour.get(at)?.settled) open.push({ at, changes: byHour.get(at)?.changes ?? 0 });
  return open;
}

/** Newest first, run by run; runs grow after a quick one. */
async function countOpen(db: Db, accountId: number, open: Hour[], now: Date) {
  const deadline = monotonicMs() + countingMaxMs;
  const counted: HourSums[] = [];
  let next = 0;
  let isComplete = true;
  let sliceHours = firstSliceHours;
  while (next < open.length && monotonicMs() < deadline) {
    let end = next + 1;
    while (end < open.length && end - next < sliceHours && open[end]!.at === open[end - 1]!.at - hourMs) end++;
    const run = open.slice(next, end);
    const startedMs = monotonicMs();
    const found = await countHours(db, accountId, run, now, deadline);
    await keepHours(db, accountId, run, found, now);
    counted.push(...found.sums);
    isComplete &&= found.isComplete;
    next = end;
    const tookMs = monotonicMs() - startedMs;
    if (tookMs < quickMs) sliceHours = Math.min(longestSliceHours, sliceHours * growth);
    if (tookMs > slowMs) sliceHours = Math.max(1, Math.floor(sliceHours / 2));
  }
  return { counted, isComplete: isComplete && next >= open.length };
}

function merge(kept: TrafficRow[], counted: HourSums[], cut: Cut): TrafficRow[] {
  const found = new Map(kept.map(one => [`${one.at}\n${one.key}`, { ...one }]));
  for (const one of counted) {
    if ((one.operator === 'all') === (cut.by === 'operator')) continue;
    const at = toTurkeyTime(one.hour).slice(0, grains[cut.grain]);
    const key = cut.by === null ? '' : one[cut.by];
    const name = `${at}\n${key}`;
    const sum = found.get(name) ?? { at, key, ...noTraffic };
    found.set(name, addTraffic(sum, one));
  }
  return [...found.values()].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

function floorHour(timeMs: number): number {
  return timeMs - (timeMs % hourMs);
}

function ceilHour(timeMs: number): number {
  return floorHour(timeMs + hourMs - 1);
}
