// An account with an hour so busy that it is counted in pieces, compared with its rows.
import { afterAll, expect, test } from 'vitest';
import { dispatchBench } from '../sending/dispatch-fixture.ts';
import { addTraffic, noTraffic } from './sums.ts';
import { traffic } from './traffic.ts';
import { countHours, hourMs } from './traffic-count.ts';
import { wholeHourMax } from './traffic-pieces.ts';

const bench = await dispatchBench();
afterAll(() => bench.close());
const { db } = bench;
const now = new Date();
const twoHoursAgo = now.getTime() - (now.getTime() % hourMs) - 2 * hourMs;
const perOrder = 4_500;
const minutes = [1, 2, 17, 33, 58];
const firstOfOperator = { Turkcell: 5_320_000_000, Vodafone: 5_420_000_000 };

async function busyHour(): Promise<{ account: number; orders: number[] }> {
  const account = await bench.account();
  const orders: number[] = [];
  for (const [i, minute] of minutes.entries()) {
    const first = Object.values(firstOfOperator)[i % 2]! + i * perOrder;
    const numbers = Array.from({ length: perOrder }, (_, at) => first + at);
    const order = await bench.accept(account, `metin ${i}`, numbers);
    await db.query('update orders set submit_at = $2, send_at = $2 where id = $1', [
      order,
      new Date(twoHoursAgo + minute * 60_000),
    ]);
    orders.push(order);
  }
  return { account, orders };
}

async function settle(_account: number, order: number, status: number, reason: number): Promise<void> {
  await db.query(
    `select settle(array_agg(id), array_agg($2::smallint), array_agg($3::smallint))
     from messages where order_id = $1 and status = 110`,
    [order, status, reason],
  );
}

async function rowsSay(account: number) {
  const { rows } = await db.query(
    `select count(*) as total, count(*) filter (where status = 111) as delivered, count(*) filter (where status = 112) as undelivered,
       coalesce(sum(credits) filter (where status <> 112), 0)::bigint as credits from messages where account_id = $1`,
    [account],
  );
  return { ...noTraffic, orders: minutes.length, ...rows[0] };
}

async function pagesSay(account: number) {
  const { cuts, isComplete } = await traffic(
    db,
    account,
    { from: new Date(twoHoursAgo - 30 * 24 * hourMs), to: now },
    now,
    [
      { grain: 'all', by: null },
      { grain: 'all', by: 'operator' },
    ],
  );
  expect(isComplete).toBe(true);
  const { at: _, key: __, ...whole } = cuts[0]![0]!;
  // Some sums come from orders, others from their messages.
  expect({ ...cuts[1]!.reduce(addTraffic, noTraffic), orders: whole.orders }).toEqual(whole);
  return whole;
}

test('a busy hour adds up to its rows, also what changes after a part of it was remembered', async () => {
  const { account, orders } = await busyHour();
  expect(minutes.length * perOrder).toBeGreaterThan(wholeHourMax);
  expect(await pagesSay(account)).toEqual(await rowsSay(account));
  // All but the last: the hour stays open, and parts of it are over.
  for (const [i, order] of orders.slice(0, -1).entries())
    await settle(account, order, i % 2 ? 112 : 111, i % 2 ? 14 : 0);
  const before = await rowsSay(account);
  expect(before).toMatchObject({ delivered: 2 * perOrder, undelivered: 2 * perOrder });
  expect(await pagesSay(account)).toEqual(before);
  expect(await pagesSay(account)).toEqual(before);
  // The second order was closed without receipts; now some arrive.
  await db.query(
    `select settle(array_agg(id), array_agg(111::smallint), array_agg(0::smallint)) from messages where order_id = $1 and id % 3 = 0`,
    [orders[1]],
  );
  const late = await rowsSay(account);
  expect(late.delivered).toBeGreaterThan(before.delivered);
  expect(await pagesSay(account)).toEqual(late);
  await settle(account, orders.at(-1)!, 111, 0);
  const ended = await rowsSay(account);
  expect(ended).toMatchObject({ total: minutes.length * perOrder, delivered: late.delivered + perOrder });
  expect(await pagesSay(account)).toEqual(ended);
});

test('a count that runs out of time says so, and each look brings it on until it is whole', async () => {
  const { account, orders } = await busyHour();
  for (const order of orders) await settle(account, order, 111, 0);
  const hours = [{ at: twoHoursAgo, changes: 0 }];
  const look = () => countHours(db, account, hours, now, 0);
  const counted = ({ sums }: Awaited<ReturnType<typeof look>>) =>
    sums.filter(one => one.operator !== 'all').reduce((sum, one) => sum + one.total, 0);
  const seen: number[] = [];
  for (;;) {
    const found = await look();
    expect([...found.open]).toEqual(found.isComplete ? [] : [twoHoursAgo]);
    // Sums that come from orders are complete from the first call.
    expect(found.sums.find(one => one.operator === 'all')).toMatchObject({ total: minutes.length * perOrder });
    seen.push(counted(found));
    if (found.isComplete) break;
  }
  expect(seen).toHaveLength(12);
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
  expect(seen.at(-1)).toBe(minutes.length * perOrder);
});
