// Counts the hours that are not stored yet, from orders and their messages, and stores those that cannot change any more. Sums
// of whole orders come from the orders, so that reports agree with them to the last credit; filtered messages and operators
// come from the messages, a range of the primary key per order, all in one snapshot.

import { type Db, type Queryable, rows, run, type Sql, snapshot, sql, transaction } from '../db/db.ts';
import { type Operator, operatorOf } from '../numbers/operators.ts';
import { isFiltered } from '../orders/reasons.ts';
import { monotonicMs } from '../time/clock.ts';
import { addTraffic, type Counted, noTraffic } from './sums.ts';
import { type Piece, PieceMemory, pieceMs, piecesOf, wholeHourMax } from './traffic-pieces.ts';

type TrafficOperator = Operator | 'none';
export type HourSums = Counted & { hour: Date; sender: string; source: string; operator: TrafficOperator | 'all' };
/** `open`: hours that may still change, or were not counted completely (then not `isComplete`). */
type CountedHours = { sums: HourSums[]; open: Set<number>; isComplete: boolean };
export type Hour = { at: number; changes: number };

export const hourMs = 3_600_000;
// An order may be committed shortly after the time it carries.
const commitMs = 600_000;
const blockSize = 100_000;

// Immediate orders by submission time, scheduled ones by their own (orders_planned). Each uses its own index.
const ordersOfHours = `(
    select submit_at as at, * from orders where account_id = $1 and submit_at >= $2 and submit_at < $3 and send_at <= submit_at
    union all
    select send_at as at, * from orders where account_id = $1 and send_at >= $2 and send_at < $3 and send_at > submit_at) o`;

type OrderSums = Omit<HourSums, 'operator' | 'filtered'> & { open: number };
const ordersSql: Sql<OrderSums> = {
  name: 'traffic orders',
  text: `select date_trunc('hour', o.at, 'UTC') as hour, o.sender, o.source, count(*) filter (where o.state <> 'scheduled') as orders,
      coalesce(sum(o.total) filter (where o.state <> 'scheduled'), 0)::bigint as total, sum(o.delivered)::bigint as delivered,
      coalesce(sum(o.undelivered) filter (where o.state <> 'scheduled'), 0)::bigint as undelivered,
      coalesce(sum(o.consumed + o.reserved) filter (where o.state <> 'scheduled'), 0)::bigint as credits,
      count(*) filter (where o.state in ('sending', 'scheduled')) as open
    from ${ordersOfHours} where o.state <> 'cancelled' group by 1, 2, 3`,
};
// "offset 0" keeps it order by order.
type BlockSums = Omit<HourSums, 'operator' | 'orders'> & { block: number | null };
const messagesSql: Sql<BlockSums & { open: boolean }> = {
  name: 'traffic messages',
  text: `select date_trunc('hour', o.at, 'UTC') as hour, o.sender, o.source, m.number / ${blockSize} as block,
      count(*) filter (where o.state <> 'scheduled') as total,
      count(*) filter (where m.status = 111) as delivered,
      count(*) filter (where o.state <> 'scheduled' and m.status = 112 and not (${isFiltered('m.reason')})) as undelivered,
      count(*) filter (where o.state <> 'scheduled' and m.status = 112 and ${isFiltered('m.reason')}) as filtered,
      coalesce(sum(m.credits) filter (where o.state <> 'scheduled' and m.status <> 112), 0)::bigint as credits,
      bool_or(o.state in ('sending', 'scheduled')) as open
    from ${ordersOfHours} cross join lateral (
      select number, status, reason, credits from messages where account_id = o.account_id and id >= o.first_message_id
        and id < o.first_message_id + o.total offset 0) m
    where o.state <> 'cancelled' group by 1, 2, 3, 4`,
};
const memory = new PieceMemory<HourSums[]>();

/**
 * Consecutive hours, newest first. After `deadlineMs` no further piece is begun except the first, so that each call makes
 * progress.
 */
export function countHours(
  db: Db,
  accountId: number,
  hours: Hour[],
  now: Date,
  deadlineMs: number,
): Promise<CountedHours> {
  return snapshot(db, async tx => {
    const [from, to] = [hours.at(-1)!.at, hours[0]!.at + hourMs];
    const orders = await rows(tx, ordersSql, [accountId, new Date(from), new Date(to)]);
    if (orders.length === 0) return { sums: [], open: new Set<number>(), isComplete: true };
    const byHour = new Map<number, number>();
    for (const one of orders) byHour.set(one.hour.getTime(), (byHour.get(one.hour.getTime()) ?? 0) + one.total);
    const pieces = piecesOf(from, to, hourMs, hour => (byHour.get(hour) ?? 0) > wholeHourMax);
    const { byOperator, left } = await countPieces(db, tx, accountId, hours, pieces, now, deadlineMs);
    const filtered = new Map<string, number>();
    for (const one of byOperator) filtered.set(nameOf(one), (filtered.get(nameOf(one)) ?? 0) + one.filtered);
    const whole = orders.map(({ open: _, ...one }): HourSums => {
      const held = filtered.get(nameOf(one)) ?? 0;
      return { ...one, operator: 'all', undelivered: one.undelivered - held, filtered: held };
    });
    const open = new Set([...orders.filter(one => one.open > 0).map(one => one.hour.getTime()), ...left]);
    return { sums: [...whole.filter(one => one.orders > 0), ...byOperator], open, isComplete: left.size === 0 };
  });
}

/** By operator; `left`: hours with a piece that was not counted. */
async function countPieces(
  db: Db,
  tx: Queryable,
  accountId: number,
  hours: Hour[],
  pieces: Piece[],
  now: Date,
  deadlineMs: number,
): Promise<{ byOperator: HourSums[]; left: Set<number> }> {
  const changes = new Map(hours.map(one => [one.at, one.changes]));
  const byOperator: HourSums[] = [];
  const left = new Set<number>();
  let counted = 0;
  for (const piece of pieces) {
    const hour = piece.from - (piece.from % hourMs);
    const isPart = piece.to - piece.from === pieceMs;
    const known = isPart ? memory.get(db, accountId, piece, changes.get(hour)!) : undefined;
    if (known) byOperator.push(...known);
    else if (counted > 0 && monotonicMs() > deadlineMs) for (let at = hour; at < piece.to; at += hourMs) left.add(at);
    else {
      const blocks = await rows(tx, messagesSql, [accountId, new Date(piece.from), new Date(piece.to)]);
      const sums = operatorSums(blocks.filter(one => one.total > 0));
      byOperator.push(...sums);
      counted++;
      const isOver = piece.to + commitMs < now.getTime() && !blocks.some(one => one.open);
      if (isPart && isOver) memory.set(db, accountId, piece, changes.get(hour)!, sums);
    }
  }
  return { byOperator: merged(byOperator), left };
}

const nameOf = (one: { hour: Date; sender: string; source: string }) =>
  `${one.hour.getTime()}\n${one.sender}\n${one.source}`;

function operatorSums(blocks: (BlockSums & { open?: boolean })[]): HourSums[] {
  return merged(
    blocks.map(({ block, open: _, ...one }) => ({
      ...one,
      orders: 0,
      operator: block === null ? 'none' : operatorOf(block * blockSize),
    })),
  );
}

/** One row for each hour, sender, source and operator. */
function merged(sums: HourSums[]): HourSums[] {
  const found = new Map<string, HourSums>();
  for (const one of sums) {
    const name = `${nameOf(one)}\n${one.operator}`;
    found.set(name, addTraffic(found.get(name) ?? { ...one, ...noTraffic }, one));
  }
  return [...found.values()];
}

const settleSql = sql<{ hour: Date }>('traffic settle')`
  insert into traffic_counted as c (account_id, hour, settled, changes)
  select $1, u.hour, true, u.changes from unnest($2::timestamptz[], $3::integer[]) u(hour, changes) order by u.hour
  on conflict (account_id, hour) do update set settled = true
    where not c.settled and c.changes = excluded.changes
  returning hour`;
const keepSql = sql('traffic keep')`
  insert into traffic_sums (account_id, hour, sender, source, operator, orders, total, delivered, undelivered, filtered, credits)
  select $1, u.* from unnest($2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::integer[], $7::bigint[], $8::bigint[],
    $9::bigint[], $10::bigint[], $11::bigint[]) u
  on conflict (account_id, hour, sender, source, operator) do nothing`;

/** Stores hours that are over and have no open order, unless another process did so or a late report changed them meanwhile. */
export async function keepHours(
  db: Db,
  accountId: number,
  hours: Hour[],
  { sums, open }: CountedHours,
  now: Date,
): Promise<void> {
  const over = hours.filter(({ at }) => !open.has(at) && at + hourMs + commitMs < now.getTime());
  if (over.length === 0) return;
  await transaction(db, async tx => {
    const times = over.map(one => new Date(one.at).toISOString());
    const ours = await rows(tx, settleSql, [accountId, times, over.map(one => one.changes)]);
    const settled = new Set(ours.map(one => one.hour.getTime()));
    const kept = sums.filter(one => settled.has(one.hour.getTime()));
    if (kept.length === 0) return;
    const column = <V>(pick: (one: HourSums) => V) => kept.map(pick);
    await run(tx, keepSql, [
      accountId,
      column(one => one.hour.toISOString()),
      column(one => one.sender),
      column(one => one.source),
      column(one => one.operator),
      column(one => one.orders),
      column(one => one.total),
      column(one => one.delivered),
      column(one => one.undelivered),
      column(one => one.filtered),
      column(one => one.credits),
    ]);
  });
}
