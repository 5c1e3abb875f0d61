// Counts the hours that are not kept yet, from orders and their messages, and keeps those that can no longer change. Sums of
// whole orders come from the orders themselves, so that reports add up to them to the last credit; filtered ones and
// operators from their messages, a range of the primary key for each order, all from one moment.
import { type Db, rows, run, type Sql, snapshot, sql, transaction } from '../db/db.ts';
import { type Operator, operatorOf } from '../numbers/operators.ts';
import { isFiltered } from '../orders/reasons.ts';
import { addTraffic, type Counted, noTraffic } from './sums.ts';

export type TrafficOperator = Operator | 'none';
export type HourSums = Counted & { hour: Date; sender: string; source: string; operator: TrafficOperator | 'all' };
export type CountedHours = { sums: HourSums[]; open: Set<number> };

export const hourMs = 3_600_000;
// An order may be committed a little after the time it carries.
const commitMs = 600_000;
const blockSize = 100_000;

// Those that left at once by the time of submission, planned ones by their own (orders_planned). Each by its own index.
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
// ("offset 0": order by order.)
type BlockSums = Omit<HourSums, 'operator' | 'orders'> & { block: number | null };
const messagesSql: Sql<BlockSums> = {
  name: 'traffic messages',
  text: `select date_trunc('hour', o.at, 'UTC') as hour, o.sender, o.source, m.number / ${blockSize} as block, count(*) as total,
      count(*) filter (where m.status = 111) as delivered,
      count(*) filter (where m.status = 112 and not (${isFiltered('m.reason')})) as undelivered,
      count(*) filter (where m.status = 112 and ${isFiltered('m.reason')}) as filtered,
      coalesce(sum(m.credits) filter (where m.status <> 112), 0)::bigint as credits
    from ${ordersOfHours} cross join lateral (
      select number, status, reason, credits from messages where account_id = o.account_id and id >= o.first_message_id
        and id < o.first_message_id + o.total offset 0) m
    where o.state not in ('cancelled', 'scheduled') group by 1, 2, 3, 4`,
};

/** Whole hours from `from` up to `to`; `open` names those with an order that may still change. */
export function countHours(db: Db, accountId: number, from: number, to: number): Promise<CountedHours> {
  return snapshot(db, async tx => {
    const bounds = [accountId, new Date(from), new Date(to)];
    const orders = await rows(tx, ordersSql, bounds);
    if (orders.length === 0) return { sums: [], open: new Set<number>() };
    const byOperator = operatorSums(await rows(tx, messagesSql, bounds));
    const filtered = new Map<string, number>();
    for (const one of byOperator) filtered.set(nameOf(one), (filtered.get(nameOf(one)) ?? 0) + one.filtered);
    const whole = orders.map(({ open: _, ...one }): HourSums => {
      const held = filtered.get(nameOf(one)) ?? 0;
      return { ...one, operator: 'all', undelivered: one.undelivered - held, filtered: held };
    });
    const open = new Set(orders.filter(one => one.open > 0).map(one => one.hour.getTime()));
    return { sums: [...whole.filter(one => one.orders > 0), ...byOperator], open };
  });
}

const nameOf = (one: { hour: Date; sender: string; source: string }) =>
  `${one.hour.getTime()}\n${one.sender}\n${one.source}`;

function operatorSums(blocks: BlockSums[]): HourSums[] {
  const sums = new Map<string, HourSums>();
  for (const { block, ...one } of blocks) {
    const operator = block === null ? 'none' : operatorOf(block * blockSize);
    const name = `${nameOf(one)}\n${operator}`;
    const sum = sums.get(name) ?? { ...one, ...noTraffic, operator };
    sums.set(name, addTraffic(sum, { ...one, orders: 0 }));
  }
  return [...sums.values()];
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

/** Keeps what is over and has no open order, unless somebody did so before or a late report changed it meanwhile. */
export async function keepHours(
  db: Db,
  accountId: number,
  hours: { at: number; changes: number }[],
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
