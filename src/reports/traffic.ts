// Messages of an account by the hour in which their orders came. Hours that can no longer change are counted once and
// kept; the others are counted each time, newest first, for a bounded time: what is left waits for the next look.
import { monotonicMs } from '../clock.ts';
import { type Queryable, row, rows, run, sql } from '../db/db.ts';

export type TrafficHour = {
  hour: Date;
  orders: number;
  total: number;
  delivered: number;
  /** Without the filtered ones. */
  undelivered: number;
  filtered: number;
  credits: number;
};

const hourMs = 3_600_000;
const sliceHours = 24;
const countingMaxMs = 4_000;

const keptSql = sql<TrafficHour>('traffic kept')`
  select hour, orders, total, delivered, undelivered, filtered, credits from traffic_hours
  where account_id = $1 and hour >= $2 and hour < $3 and settled order by hour`;
const firstSql = sql<{ at: Date | null }>('traffic first')`
  select min(submit_at) as at from orders where account_id = $1`;
// Reasons 1 to 9 are ours (orders/reasons.ts): held back before any carrier saw the message.
const countSql = sql<TrafficHour & { open: number }>('traffic count')`
  select date_trunc('hour', o.submit_at) as hour, count(*)::integer as orders, sum(o.total)::bigint as total,
    sum(o.delivered)::bigint as delivered, sum(o.undelivered - f.filtered)::bigint as undelivered,
    sum(f.filtered)::bigint as filtered, sum(o.consumed + o.reserved)::bigint as credits,
    count(*) filter (where o.state in ('sending', 'scheduled'))::integer as open
  from orders o cross join lateral (select case when o.undelivered = 0 then 0 else (
      select count(*) from messages m where m.account_id = o.account_id and m.id >= o.first_message_id
        and m.id < o.first_message_id + o.total and m.reason between 1 and 9) end as filtered) f
  where o.account_id = $1 and o.submit_at >= $2 and o.submit_at < $3
  group by 1`;
const keepSql = sql('traffic keep')`
  insert into traffic_hours (account_id, hour, orders, total, delivered, undelivered, filtered, credits, settled)
  select $1, u.*, true from unnest($2::timestamptz[], $3::integer[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[],
    $8::bigint[]) u(hour, orders, total, delivered, undelivered, filtered, credits)
  on conflict (account_id, hour) do nothing`;

/** Oldest first; hours without orders are left out. */
export async function trafficHours(db: Queryable, accountId: number, since: Date, now: Date): Promise<TrafficHour[]> {
  const first = (await row(db, firstSql, [accountId]))?.at;
  if (!first) return [];
  const begin = floorHour(Math.max(since.getTime(), first.getTime()));
  const end = floorHour(now.getTime()) + hourMs;
  const found = new Map<number, TrafficHour>();
  for (const one of await rows(db, keptSql, [accountId, new Date(begin), new Date(end)]))
    found.set(one.hour.getTime(), one);
  const deadline = monotonicMs() + countingMaxMs;
  for (let to = end; to > begin && monotonicMs() < deadline; to -= sliceHours * hourMs) {
    const from = Math.max(begin, to - sliceHours * hourMs);
    if (!isKept(found, from, to)) await countSlice(db, accountId, from, to, now, found);
  }
  return [...found.values()].filter(one => one.orders > 0).sort((a, b) => a.hour.getTime() - b.hour.getTime());
}

function isKept(found: Map<number, TrafficHour>, from: number, to: number): boolean {
  for (let hour = from; hour < to; hour += hourMs) if (!found.has(hour)) return false;
  return true;
}

async function countSlice(
  db: Queryable,
  accountId: number,
  from: number,
  to: number,
  now: Date,
  found: Map<number, TrafficHour>,
): Promise<void> {
  const counted = new Map<number, TrafficHour & { open: number }>();
  for (const one of await rows(db, countSql, [accountId, new Date(from), new Date(to)]))
    counted.set(one.hour.getTime(), one);
  const settled: TrafficHour[] = [];
  for (let hour = from; hour < to; hour += hourMs) {
    if (found.has(hour)) continue;
    const one = counted.get(hour) ?? { ...nothing, hour: new Date(hour), open: 0 };
    found.set(hour, one);
    // An order may be committed a little after the time it carries.
    if (one.open === 0 && hour + hourMs + 600_000 < now.getTime()) settled.push(one);
  }
  if (settled.length > 0) await keep(db, accountId, settled);
}

const nothing = { orders: 0, total: 0, delivered: 0, undelivered: 0, filtered: 0, credits: 0 };

async function keep(db: Queryable, accountId: number, hours: TrafficHour[]): Promise<void> {
  const column = <V>(pick: (one: TrafficHour) => V) => hours.map(pick);
  await run(db, keepSql, [
    accountId,
    column(one => one.hour.toISOString()),
    column(one => one.orders),
    column(one => one.total),
    column(one => one.delivered),
    column(one => one.undelivered),
    column(one => one.filtered),
    column(one => one.credits),
  ]);
}

function floorHour(timeMs: number): number {
  return timeMs - (timeMs % hourMs);
}
