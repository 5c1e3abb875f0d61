// What the end of a message changes: its order, the credit, the ledger, the index of numbers and the events for customers.
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database/database.ts';
import {
  adjacentOrders,
  balanceOf,
  endMessages,
  isLockAwaited,
  ledgerOf,
  messagesOf,
  newOrder,
  openAccountId,
  orderState,
  type TestOrder,
} from '../../test/support/database/order-money.ts';
import { wait } from '../../test/support/run/wait.ts';
import { audit } from '../audit/invariants.ts';
import { settleMessages } from './settle.ts';

const database = await testDatabase();
const db = database.pool;
afterAll(() => database.close());

const delivered = [111] as const;
const rejected = [112, 13] as const;
const neverSent = [112, 18] as const;
const noReceipt = [112, 14] as const;
const sound = async () => expect(await audit(db)).toEqual({ ok: true, findings: [] });

test('a delivered message is paid, the credit of an undelivered one comes back, an open one stays reserved', async () => {
  const accountId = await openAccountId(db);
  const one = await newOrder(db, accountId, 4, { parts: 3 });
  expect(await balanceOf(db, accountId)).toBe(88);
  expect(await endMessages(db, one, [delivered, rejected, delivered])).toBe(3);
  expect(await orderState(db, one)).toEqual({
    ...{ state: 'sending', delivered: 2, undelivered: 1, reserved: 3, consumed: 6, ended: false },
  });
  expect(await messagesOf(db, one)).toEqual([
    [111, 0],
    [112, 13],
    [111, 0],
    [110, 0],
  ]);
  const entries = [
    ['reserve', -12, 12],
    ['consume', 0, -6],
    ['release', 3, -3],
  ];
  expect(await ledgerOf(db, one)).toEqual(entries);
  expect(await balanceOf(db, accountId)).toBe(91);
  await sound();
});

test('a message ends once: a second end, the same or the other, changes nothing and writes no entry', async () => {
  const accountId = await openAccountId(db);
  const one = await newOrder(db, accountId, 2);
  await endMessages(db, one, [delivered, rejected]);
  const before = [await orderState(db, one), await ledgerOf(db, one), await messagesOf(db, one)];
  expect(await endMessages(db, one, [delivered, rejected])).toBe(0);
  expect(await endMessages(db, one, [rejected, delivered])).toBe(0);
  expect(await endMessages(db, one, [noReceipt, noReceipt])).toBe(0);
  expect([await orderState(db, one), await ledgerOf(db, one), await messagesOf(db, one)]).toEqual(before);
  expect(await balanceOf(db, accountId)).toBe(99);
});

test('ids of no message are passed over, and the rest of the batch ends', async () => {
  const one = await newOrder(db, await openAccountId(db), 1);
  const end = { status: 111, reason: 0 };
  expect(await settleMessages(db, [])).toBe(0);
  expect(await settleMessages(db, [{ id: 0, ...end }])).toBe(0);
  const ids = [0, -5, one.messages[0]!, 4_000_000_000_000_000];
  expect(
    await settleMessages(
      db,
      ids.map(id => ({ id, ...end })),
    ),
  ).toBe(1);
  expect(await orderState(db, one)).toMatchObject({ state: 'finished', delivered: 1 });
});

test('a batch of several orders and accounts settles each by its own ends', async () => {
  const [first, second, third] = [await openAccountId(db), await openAccountId(db), await openAccountId(db)];
  const orders = [
    await newOrder(db, first, 2, { parts: 2 }),
    await newOrder(db, second, 2, { parts: 5 }),
    await newOrder(db, first, 2),
    await newOrder(db, third, 1),
  ];
  const ends = [[rejected, delivered], [rejected, rejected], [rejected, rejected], [delivered]] as const;
  const batch = orders.flatMap((one, i) =>
    ends[i]!.map(([status, reason = 0], j) => ({ id: one.messages[j]!, status, reason })),
  );
  expect(await settleMessages(db, batch.reverse())).toBe(7);
  expect(await Promise.all(orders.map(one => ledgerOf(db, one)))).toEqual([
    [
      ['reserve', -4, 4],
      ['consume', 0, -2],
      ['release', 2, -2],
    ],
    [
      ['reserve', -10, 10],
      ['release', 10, -10],
    ],
    [
      ['reserve', -2, 2],
      ['release', 2, -2],
    ],
    [
      ['reserve', -1, 1],
      ['consume', 0, -1],
    ],
  ]);
  expect(await Promise.all([first, second, third].map(id => balanceOf(db, id)))).toEqual([98, 100, 99]);
  await sound();
});

test.each([
  ['finished', 'one message was delivered', [[delivered, neverSent]]],
  ['finished', 'the first batch delivered one', [[delivered], [null, neverSent]]],
  ['finished', 'the last batch delivered one', [[neverSent], [null, delivered]]],
  ['finished', 'a carrier rejected one', [[neverSent, rejected]]],
  ['finished', 'a carrier rejected the first', [[rejected, neverSent]]],
  ['finished', 'a carrier rejected all', [[rejected, rejected]]],
  ['failed', 'no message reached a carrier', [[neverSent, [112, 4]]]],
  ['failed', 'no message reached a carrier, in two batches', [[[112, 2]], [null, [112, 3]]]],
  ['sending', 'a message is open', [[neverSent]]],
] as const)('an order is %s when %s, whatever happened to its neighbours', async (state, _why, batches) => {
  const accountId = await openAccountId(db);
  const [before, one, after] = (await adjacentOrders(db, accountId, 2)) as [TestOrder, TestOrder, TestOrder];
  for (const neighbour of [before, after]) await endMessages(db, neighbour, [rejected, rejected]);
  for (const ends of batches) {
    expect(await orderState(db, one)).toMatchObject({ state: 'sending', ended: false });
    await endMessages(db, one, ends);
  }
  expect(await orderState(db, one)).toMatchObject({ state, ended: state !== 'sending' });
  await sound();
});

test('a bad number counts as an end of its order from the start', async () => {
  const accountId = await openAccountId(db);
  const one = await newOrder(db, accountId, 1, { bad: ['123'] });
  expect(await orderState(db, one)).toMatchObject({ state: 'sending', undelivered: 1, reserved: 1 });
  await endMessages(db, one, [delivered]);
  expect(await orderState(db, one)).toMatchObject({ state: 'finished', delivered: 1, undelivered: 1, consumed: 1 });
});

test('an order has failed where no carrier got any of its messages, and is finished where one did, delivered or not', async () => {
  const accountId = await openAccountId(db);
  const [unsent, sent] = [await newOrder(db, accountId, 2), await newOrder(db, accountId, 2)];
  await endMessages(db, unsent, [neverSent, neverSent]);
  await endMessages(db, sent, [neverSent, rejected]);
  expect(await orderState(db, unsent)).toMatchObject({ state: 'failed', undelivered: 2, ended: true });
  expect(await orderState(db, sent)).toMatchObject({ state: 'finished', undelivered: 2, ended: true });
});

test('a cancelled order stays cancelled while its messages end', async () => {
  const one = await newOrder(db, await openAccountId(db), 2);
  await db.query(`update orders set state = 'cancelled' where id = $1`, [one.id]);
  await db.query('delete from chunks where account_id = $1', [one.accountId]);
  await endMessages(db, one, [
    [112, 9],
    [112, 9],
  ]);
  expect(await orderState(db, one)).toMatchObject({ state: 'cancelled', undelivered: 2, reserved: 0 });
});

const indexed = async ({ accountId }: TestOrder): Promise<number[]> =>
  (
    await db.query('select message_id as id from message_numbers where account_id = $1 order by 1', [accountId])
  ).rows.map(row => row.id as number);
const waiting = async ({ accountId }: TestOrder) =>
  (await db.query('select order_id as id, total from number_queue where account_id = $1 order by 1', [accountId])).rows;

test('an order of one message is found by its number as it ends; a larger one is queued for it at its last end', async () => {
  const accountId = await openAccountId(db);
  const single = await newOrder(db, accountId, 1);
  const larger = await newOrder(db, accountId, 2);
  await endMessages(db, larger, [delivered]);
  expect([await indexed(single), await waiting(single)]).toEqual([[], []]);
  await endMessages(db, single, [noReceipt]);
  await endMessages(db, larger, [null, noReceipt]);
  const queued = [{ id: larger.id, total: 2 }];
  expect([await indexed(single), await waiting(single)]).toEqual([single.messages, queued]);
});

test('an order that was counted as ended is not indexed again when a delivery is reported late', async () => {
  const accountId = await openAccountId(db);
  const single = await newOrder(db, accountId, 1);
  const larger = await newOrder(db, accountId, 2);
  await endMessages(db, single, [noReceipt]);
  await endMessages(db, larger, [noReceipt, delivered]);
  const { rows } = await db.query('select id, finished_at from orders where account_id = $1 order by id', [accountId]);
  await db.query('delete from message_numbers where account_id = $1', [accountId]);
  await db.query('delete from number_queue where account_id = $1', [accountId]);
  for (const one of [single, larger]) expect(await endMessages(db, one, [delivered])).toBe(1);
  expect([await indexed(single), await waiting(single)]).toEqual([[], []]);
  const later = await db.query('select id, finished_at from orders where account_id = $1 order by id', [accountId]);
  expect(later.rows).toEqual(rows);
});

/** Endpoint `no` of an account; the first has the account's own id. */
async function endpoint(accountId: number, no: number, url: string, skipped: string[] = []): Promise<number> {
  const id = no === 1 ? accountId : -no;
  const text = 'insert into webhook_endpoints (account_id, of_account, no, url, skipped) values ($1, $2, $3, $4, $5)';
  await db.query(text, [id, no === 1 ? null : accountId, no, url, skipped]);
  return id;
}

test('each endpoint of the account gets one event for each order, with the messages it asked for', async () => {
  const [accountId, other, silent] = [await openAccountId(db), await openAccountId(db), await openAccountId(db)];
  const all = await endpoint(accountId, 1, 'https://ornek.com');
  const undelivered = await endpoint(accountId, 2, 'https://ornek.com/hata', ['delivered']);
  const deliveries = await endpoint(accountId, 3, 'https://ornek.com/teslim', ['undelivered']);
  await endpoint(accountId, 4, '');
  await endpoint(silent, 1, '');
  const orders = [await newOrder(db, accountId, 3), await newOrder(db, accountId, 1)];
  const others = [await newOrder(db, other, 1), await newOrder(db, silent, 1)];
  const batch = [...orders, ...others].flatMap(one => one.messages);
  await settleMessages(db, [
    ...batch.slice(1).map(id => ({ id, status: 111, reason: 0 })),
    { id: batch[0]!, status: 112, reason: 13 },
  ]);
  const text = `select account_id as endpoint, order_id as "order", message_ids as ids from webhook_outbox
    where kind = 'final' order by order_id, account_id desc`;
  const [first, second] = orders as [TestOrder, TestOrder];
  expect((await db.query(text)).rows).toEqual([
    { endpoint: all, order: first.id, ids: first.messages },
    { endpoint: undelivered, order: first.id, ids: first.messages.slice(0, 1) },
    { endpoint: deliveries, order: first.id, ids: first.messages.slice(1) },
    { endpoint: all, order: second.id, ids: second.messages },
    { endpoint: deliveries, order: second.id, ids: second.messages },
  ]);
});

test('an order over SMPP gets its receipts, alone or in a batch with orders that came otherwise', async () => {
  const accountId = await openAccountId(db);
  const smpp = await newOrder(db, accountId, 2);
  const other = await newOrder(db, accountId, 1);
  await db.query(`update orders set smpp = '{"u": 7, "r": "1"}' where id = $1`, [smpp.id]);
  for (const ids of [smpp.messages.slice(0, 1), [smpp.messages[1]!, ...other.messages]])
    await settleMessages(
      db,
      ids.map(id => ({ id, status: 111, reason: 0 })),
    );
  const { rows } = await db.query('select message_id as id, user_id as "user", status from smpp_outbox order by 1');
  expect(rows).toEqual(smpp.messages.map(id => ({ id, user: 7, status: 111 })));
});

/** Orders whose every message was closed without a receipt. */
async function closedOrder(accountId: number, count: number, parts = 1): Promise<TestOrder> {
  const one = await newOrder(db, accountId, count, { parts });
  await endMessages(
    db,
    one,
    Array.from({ length: count }, (_, i) => [112, 14 + (i % 2)] as const),
  );
  return one;
}

test('late deliveries of several orders and accounts are paid by each account as far as its credit reaches', async () => {
  const [rich, poor] = [await openAccountId(db), await openAccountId(db)];
  const first = await closedOrder(rich, 2, 3);
  const scarce = await closedOrder(poor, 3, 4);
  const second = await closedOrder(rich, 1, 7);
  // The credit for two of the three messages, to the last unit.
  await newOrder(db, poor, 92);
  await newOrder(db, rich, 10);
  const batch = [...scarce.messages, ...second.messages, ...first.messages];
  expect(
    await settleMessages(
      db,
      batch.map(id => ({ id, status: 111, reason: 0 })),
    ),
  ).toBe(6);
  expect([await balanceOf(db, rich), await balanceOf(db, poor)]).toEqual([77, 0]);
  const corrections = await Promise.all([first, scarce, second].map(async one => (await ledgerOf(db, one)).slice(2)));
  expect(corrections).toEqual([[['correct', -6, 0]], [['correct', -8, 0]], [['correct', -7, 0]]]);
  const credits = await db.query('select credits from messages where order_id = $1 order by id', [scarce.id]);
  expect(credits.rows.map(row => row.credits)).toEqual([4, 4, 0]);
  for (const one of [first, scarce, second]) {
    expect(new Set((await messagesOf(db, one)).map(String))).toEqual(new Set(['111,0']));
    expect(await orderState(db, one)).toMatchObject({ state: 'finished', undelivered: 0, reserved: 0 });
  }
  await sound();
});

test('a late delivery takes no credit that another transaction is spending', async () => {
  const accountId = await openAccountId(db);
  const late = await closedOrder(accountId, 1, 5);
  const client = await db.connect();
  await client.query('begin');
  await client.query('select take_credit($1, 98)', [accountId]);
  const settled = endMessages(db, late, [delivered]);
  await wait('the settlement to wait for the balance', () => isLockAwaited(db));
  await client.query('commit');
  client.release();
  expect(await settled).toBe(1);
  expect(await balanceOf(db, accountId)).toBe(2);
  expect(await orderState(db, late)).toMatchObject({ delivered: 1, consumed: 0 });
  const credits = await db.query('select credits from messages where order_id = $1', [late.id]);
  expect(credits.rows).toEqual([{ credits: 0 }]);
  await db.query(`insert into ledger_entries (account_id, kind, sms) values ($1, 'grant', -98)`, [accountId]);
  await sound();
});

test('a batch with first ends and a late delivery settles both', async () => {
  const accountId = await openAccountId(db);
  const late = await closedOrder(accountId, 1, 5);
  const fresh = await newOrder(db, accountId, 3, { parts: 2 });
  const ends = [
    { id: late.messages[0]!, status: 111, reason: 0 },
    { id: fresh.messages[0]!, status: 111, reason: 0 },
    { id: fresh.messages[1]!, status: 112, reason: 13 },
  ];
  expect(await settleMessages(db, ends)).toBe(3);
  expect(await balanceOf(db, accountId)).toBe(100 - 5 - 6 + 2);
  expect(await orderState(db, late)).toMatchObject({ delivered: 1, undelivered: 0, consumed: 5 });
  expect(await orderState(db, fresh)).toMatchObject({ delivered: 1, undelivered: 1, consumed: 2, reserved: 2 });
  await sound();
});

test('a late delivery has the hour of its order counted again, and no other', async () => {
  const [accountId, other] = [await openAccountId(db), await openAccountId(db)];
  const [immediate, scheduled, same] = [
    await closedOrder(accountId, 1),
    await closedOrder(accountId, 1),
    await closedOrder(accountId, 1),
  ];
  const untouched = await newOrder(db, accountId, 1);
  // Counted where it was to be sent, which is later than where it was accepted.
  const times = 'update orders set submit_at = $2, send_at = $3 where id = $1';
  await db.query(times, [immediate.id, '2026-01-05 10:30Z', '2026-01-05 10:30Z']);
  await db.query(times, [same.id, '2026-01-05 10:50Z', '2026-01-05 09:50Z']);
  await db.query(times, [untouched.id, '2026-01-05 12:30Z', '2026-01-05 12:30Z']);
  await db.query(times, [scheduled.id, '2026-01-05 10:30Z', '2026-01-05 14:30Z']);
  await db.query(
    `with hours as (insert into traffic_counted (account_id, hour, settled, changes)
       select a, h, true, 4 from unnest($1::bigint[]) a, generate_series('2026-01-05 09:00Z'::timestamptz, '2026-01-05 14:00Z', '1 hour') h
       returning account_id, hour)
     insert into traffic_sums (account_id, hour, sender, source, operator, orders, total, delivered, undelivered, filtered, credits)
     select account_id, hour, 'DENEME', 'api', 'all', 1, 1, 0, 1, 0, 0 from hours`,
    [[accountId, other]],
  );
  const late = [immediate, scheduled, same].flatMap(one => one.messages);
  await settleMessages(
    db,
    late.map(id => ({ id, status: 111, reason: 0 })),
  );
  const { rows } = await db.query(
    `select account_id as account, to_char(hour at time zone 'UTC', 'HH24') as hour, settled, changes,
       exists (select 1 from traffic_sums s where s.account_id = c.account_id and s.hour = c.hour) as sums
     from traffic_counted c where account_id = any ($1) and (not settled or not exists (
       select 1 from traffic_sums s where s.account_id = c.account_id and s.hour = c.hour)) order by hour`,
    [[accountId, other]],
  );
  const again = { account: accountId, settled: false, changes: 5, sums: false };
  expect(rows).toEqual([
    { ...again, hour: '10' },
    { ...again, hour: '14' },
  ]);
});
