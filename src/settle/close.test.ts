// Orders whose carrier never reports the end of a message are closed after their time, and their credit comes back.
import { afterAll, beforeEach, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database/database.ts';
import {
  adjacentOrders,
  balanceOf,
  endMessages,
  isLockAwaited,
  messagesOf,
  newOrder,
  openAccountId,
  orderState,
  type TestOrder,
} from '../../test/support/database/order-money.ts';
import { audit } from '../audit/invariants.ts';
import { silentLog } from '../log.ts';
import { setClock } from '../time/clock.ts';
import { closeAfterMs, closeOverdue } from './close.ts';

const database = await testDatabase();
const db = database.pool;
afterAll(() => database.close());

const hourMs = 3_600_000;
const due = '2026-01-05 10:00:00Z';
const past = '2026-01-05 10:00:01Z';
let accountId: number;
beforeEach(async () => {
  accountId = await openAccountId(db);
  // What earlier tests left is not due, and nobody works on it.
  await db.query(`update orders set close_after = '2100-01-01Z'`);
  await db.query('delete from chunks');
  await db.query(`update closing set through = now() - interval '2 days'`);
});

/** Three orders of three messages whose ids follow each other, without chunks; the one in the middle is due. */
async function threeOrders(closeAfter = due): Promise<[TestOrder, TestOrder, TestOrder]> {
  const orders = (await adjacentOrders(db, accountId, 3)) as [TestOrder, TestOrder, TestOrder];
  await db.query('update orders set close_after = $2 where id = $1', [orders[1].id, closeAfter]);
  return orders;
}

async function close({ id, accountId }: TestOrder, at = past, after = '1 hour'): Promise<number> {
  const text = 'select close_order($1, $2, $3, $4) as closed';
  return (await db.query(text, [accountId, id, at, after])).rows[0].closed;
}

async function submitted(message: number, at: string): Promise<void> {
  await db.query(
    `insert into submits (day, carrier_id, smsc_id, message_id, part, parts, submitted_at) select submit_day(at), 1, m, m, 1, 1, at from (values ($1::bigint, $2::timestamptz)) v(m, at)`,
    [message, at],
  );
}

async function unsure(message: number): Promise<void> {
  await db.query(
    `insert into unsure (message_id, account_id, attempt, number, lane, written_at, single) values ($1, $2, 1, 905550000000, 0, $3, true)`,
    [message, accountId, '2026-01-05 08:00Z'],
  );
}

async function chunk(first: number, count: number, { ids = null as number[] | null, isLeased = false } = {}) {
  const text = `insert into chunks (account_id, lane, first_message_id, count, ids, due_at, lease_owner, lease_token)
    values ($1, 0, $2, $3, $4, now(), $5, $5) returning id`;
  return (await db.query(text, [accountId, first, count, ids, isLeased ? 1 : null])).rows[0].id as number;
}

const chunks = async () =>
  (await db.query('select id from chunks where account_id = $1 order by id', [accountId])).rows.map(row => row.id);
const open = [110, 0] as const;

test('an order is closed once its time is over and not before, and its credit comes back', async () => {
  const [before, one, after] = await threeOrders();
  expect(await close(one, due)).toBe(0);
  expect(await orderState(db, one)).toMatchObject({ state: 'sending', reserved: 3 });
  expect(await close(one)).toBe(3);
  expect(await orderState(db, one)).toMatchObject({ state: 'failed', undelivered: 3, reserved: 0, consumed: 0 });
  expect(await close(one)).toBe(0);
  for (const neighbour of [before, after]) expect(await messagesOf(db, neighbour)).toEqual([open, open, open]);
  expect(await balanceOf(db, accountId)).toBe(94);
});

test('an order of another account, or one that is not being sent, is not closed', async () => {
  const [, one] = await threeOrders();
  expect(await close({ ...one, accountId: await openAccountId(db) })).toBe(0);
  await db.query(`update orders set state = 'scheduled' where id = $1`, [one.id]);
  expect(await close(one)).toBe(0);
  expect(await messagesOf(db, one)).toEqual([open, open, open]);
});

test('the reason tells a submitted message, one whose answer was lost and one that no carrier got apart', async () => {
  const orders = await threeOrders();
  const [submittedOne, doubtful, both] = orders[1].messages as [number, number, number];
  await submitted(submittedOne, '2026-01-05 08:00Z');
  await unsure(doubtful);
  await submitted(both, '2026-01-05 08:00Z');
  await unsure(both);
  expect(await close(orders[1])).toBe(3);
  expect(await messagesOf(db, orders[1])).toEqual([
    [112, 14],
    [112, 15],
    [112, 14],
  ]);
  const [, alone] = await threeOrders();
  await unsure(alone.messages[1]!);
  expect(await close(alone)).toBe(3);
  expect(await messagesOf(db, alone)).toEqual([
    [112, 18],
    [112, 15],
    [112, 18],
  ]);
  // What happened to the neighbours' messages says nothing of these.
  const [first, second, third] = await threeOrders();
  for (const message of [first.messages[2]!, third.messages[0]!]) {
    await submitted(message, '2026-01-05 08:00Z');
    await unsure(message);
  }
  await endMessages(db, second, [[111], [112, 13]]);
  expect(await close(second)).toBe(1);
  expect(await messagesOf(db, second)).toEqual([
    [111, 0],
    [112, 13],
    [112, 18],
  ]);
});

test('an order is put off to the end of the wait for its newest submit', async () => {
  const [before, one, after] = await threeOrders();
  await submitted(before.messages[2]!, '2026-01-05 09:59Z');
  await submitted(after.messages[0]!, '2026-01-05 09:59Z');
  await submitted(one.messages[0]!, '2026-01-05 08:00Z');
  await submitted(one.messages[2]!, '2026-01-05 09:30Z');
  const closeAfter = async (of: TestOrder) =>
    (await db.query('select close_after as at from orders where id = $1', [of.id])).rows[0].at as Date;
  const others = await Promise.all([before, after].map(closeAfter));
  expect(await close(one)).toBe(0);
  expect(await closeAfter(one)).toEqual(new Date('2026-01-05T10:30:00Z'));
  expect(await Promise.all([before, after].map(closeAfter))).toEqual(others);
  expect(await messagesOf(db, one)).toEqual([open, open, open]);
  expect(await close(one, '2026-01-05 10:30:01Z')).toBe(3);
});

test('a submit whose wait is over to the moment no longer puts the order off', async () => {
  const [, one] = await threeOrders();
  await submitted(one.messages[0]!, '2026-01-05 09:00:01Z');
  expect(await close(one)).toBe(3);
});

/** Whether a round of closing waits for a lock before it ends. */
async function waitsForLock(round: Promise<unknown>): Promise<boolean> {
  let isOver = false;
  void round.finally(() => {
    isOver = true;
  });
  while (!isOver) if (await isLockAwaited(db)) return true;
  return false;
}

/** As a dispatcher does when it claims or reports: chunks of the account are locked until the work is done. */
async function whileLocked<T>(work: () => Promise<T>): Promise<T> {
  const client = await db.connect();
  await client.query('begin');
  await client.query('select 1 from chunks where account_id = $1 and lease_owner is not null for update', [accountId]);
  return work().finally(async () => {
    await client.query('rollback');
    client.release();
  });
}

const minuteAgo = () => new Date(Date.now() - 60_000).toISOString();
const atOnce = () => new Date().toISOString();

test.each<[string, (one: TestOrder) => Parameters<typeof chunk>]>([
  ['the order', one => [one.messages[0]!, 3]],
  ['its last message and more', one => [one.messages[2]!, 2]],
  ['its first message as the last of 500', one => [one.messages[0]! - 499, 500]],
  [
    'one of its messages among others',
    one => [one.messages[0]! - 1, 2, { ids: [one.messages[0]! - 1, one.messages[1]!] }],
  ],
  ['its first message', one => [one.messages[0]!, 1, { ids: [one.messages[0]!] }]],
  ['its last message', one => [one.messages[2]!, 1, { ids: [one.messages[2]!] }]],
])(
  'while a dispatcher sends %s, the order is not closed, and no round waits for the dispatcher',
  async (_what, rangeOf) => {
    const [, one] = await threeOrders(minuteAgo());
    const [first, count, more] = rangeOf(one);
    const id = await chunk(first, count, { ...more, isLeased: true });
    // A chunk that nobody has claimed changes nothing.
    await chunk(one.messages[0]!, 3);
    expect(await close(one, atOnce())).toBe(0);
    const { closing } = startClosing();
    expect(await whileLocked(() => waitsForLock(closing()))).toBe(false);
    expect(await messagesOf(db, one)).toEqual([open, open, open]);
    await db.query('delete from chunks where id = $1', [id]);
    await closing();
    expect(await isEnded(one)).toBe(true);
  },
);

test('what a dispatcher sends of other orders does not keep an order open', async () => {
  const [before, one, after] = await threeOrders(minuteAgo());
  const isLeased = true;
  const ids = [before.messages[2]!, after.messages[0]!];
  const left = [
    await chunk(before.messages[0]!, 3, { isLeased }),
    await chunk(after.messages[0]!, 3, { isLeased }),
    await chunk(ids[0]!, 2, { ids, isLeased }),
  ];
  await chunk(one.messages[0]!, 3);
  expect(await whileLocked(() => waitsForLock(startClosing().closing()))).toBe(false);
  expect(await isEnded(one)).toBe(true);
  expect(await chunks()).toEqual(left);
});

test('chunks of a closed order go; those that it shares with another order stay', async () => {
  const [before, one, after] = await threeOrders();
  const [first, middle, last] = one.messages as [number, number, number];
  await chunk(first, 3);
  await chunk(middle, 1, { ids: [middle] });
  await chunk(first, 2, { ids: [first, last] });
  const shared = [
    await chunk(before.messages[2]!, 2),
    await chunk(last, 2),
    await chunk(before.messages[0]!, 2, { ids: [before.messages[0]!, first] }),
    await chunk(middle, 2, { ids: [middle, after.messages[0]!] }),
    await chunk(after.messages[0]!, 3),
  ];
  expect(await close(one)).toBe(3);
  expect(await chunks()).toEqual(shared);
});

test('the wait for an order is its validity and the grace', () => {
  expect(closeAfterMs(86_400, 3_600)).toBe(25 * hourMs);
});

/** Due for closing so many minutes ago. */
async function overdueOrder(minutes: number, count = 1): Promise<TestOrder> {
  const one = await newOrder(db, accountId, count);
  await db.query(`update orders set close_after = now() - make_interval(mins => $2) where id = $1`, [one.id, minutes]);
  return one;
}

type Warning = { order: number; account: number; messages: number };
function startClosing(): { closing: ReturnType<typeof closeOverdue>; warnings: Warning[] } {
  const warnings: Warning[] = [];
  const log = { ...silentLog, warn: (fields: object) => void warnings.push(fields as Warning) };
  return { closing: closeOverdue(db, log, hourMs), warnings };
}
const isEnded = async (one: TestOrder) => (await orderState(db, one)).ended as boolean;
const through = async () => (await db.query('select through::text from closing')).rows[0].through as string;
const closeAfterOf = async ({ id }: TestOrder) =>
  (await db.query('select close_after::text as at from orders where id = $1', [id])).rows[0].at as string;

test('a round closes every order whose time is over, says which, and goes on after the last of them', async () => {
  const [older, newer, future] = [await overdueOrder(20, 2), await overdueOrder(10), await overdueOrder(-10)];
  const { closing, warnings } = startClosing();
  expect(await closing()).toBeUndefined();
  expect(await Promise.all([older, newer, future].map(isEnded))).toEqual([true, true, false]);
  expect(warnings.sort((a, b) => a.order - b.order)).toEqual([
    { order: older.id, account: accountId, messages: 2 },
    { order: newer.id, account: accountId, messages: 1 },
  ]);
  expect(await through()).toBe(await closeAfterOf(newer));
  const later = await overdueOrder(5);
  await closing();
  expect(await isEnded(later)).toBe(true);
  expect(warnings).toHaveLength(3);
  expect(await audit(db)).toEqual({ ok: true, findings: [] });
});

test('an order that a dispatcher works on is closed in a later round, also after a restart', async () => {
  const [busy, busyList, free] = [await overdueOrder(3, 2), await overdueOrder(2), await overdueOrder(1)];
  await db.query('delete from chunks where account_id = $1', [accountId]);
  await chunk(busy.messages[1]!, 1, { isLeased: true });
  await chunk(busyList.messages[0]!, 1, { ids: busyList.messages, isLeased: true });
  const { closing, warnings } = startClosing();
  await closing();
  expect(await Promise.all([busy, busyList, free].map(isEnded))).toEqual([false, false, true]);
  await db.query('update chunks set lease_owner = null where account_id = $1 and ids is null', [accountId]);
  await closing();
  expect(await Promise.all([busy, busyList].map(isEnded))).toEqual([true, false]);
  await db.query('update chunks set lease_owner = null where account_id = $1', [accountId]);
  await startClosing().closing();
  expect(await isEnded(busyList)).toBe(true);
  expect(warnings.map(one => one.order)).toEqual([free.id, busy.id]);
});

test('an order that a dispatcher claims while it is being closed is closed in a later round', async () => {
  const one = await overdueOrder(1);
  const client = await db.connect();
  await client.query('begin');
  await client.query('update chunks set lease_owner = 1, lease_token = 1 where account_id = $1', [accountId]);
  const { closing } = startClosing();
  const round = closing();
  expect(await waitsForLock(round)).toBe(true);
  await client.query('commit');
  client.release();
  await round;
  expect(await isEnded(one)).toBe(false);
  await db.query('delete from chunks where account_id = $1', [accountId]);
  await closing();
  expect(await isEnded(one)).toBe(true);
});

test('an order that was put off is closed when its time comes', async () => {
  const one = await overdueOrder(1);
  await submitted(one.messages[0]!, new Date(Date.now() - hourMs / 2).toISOString());
  const { closing, warnings } = startClosing();
  await closing();
  expect([await isEnded(one), warnings]).toEqual([false, []]);
  const restore = setClock(() => Date.now() + hourMs);
  await closing();
  restore();
  expect(await isEnded(one)).toBe(true);
});

test('a clock that is ahead does not keep orders from being closed at their time', async () => {
  const [one, other] = [await overdueOrder(-30), await overdueOrder(-40)];
  await db.query('delete from chunks where account_id = $1', [accountId]);
  const id = await chunk(other.messages[0]!, 1, { isLeased: true });
  const before = await through();
  const restore = setClock(() => Date.now() + hourMs);
  await startClosing().closing();
  restore();
  expect([await isEnded(one), await isEnded(other), await through()]).toEqual([true, false, before]);
  await db.query('delete from chunks where id = $1', [id]);
  await db.query(`update orders set close_after = now() - interval '1 s' where id = $1`, [other.id]);
  await startClosing().closing();
  expect(await isEnded(other)).toBe(true);
});

/** Copies of an order of one message that are due one after the other, a second apart; they are given their own messages. */
async function manyOrders(count: number): Promise<TestOrder> {
  const one = await newOrder(db, accountId, 1);
  const { rows } = await db.query(
    `select setval('order_ids', nextval('order_ids') + $1) - $1 as o, take_message_ids($1::integer) as f`,
    [count],
  );
  await db.query(
    `insert into orders (id, account_id, sender, lane, state, total, first_message_id, submit_at, send_at, close_after, fingerprint, text,
       encoding, parts)
     select $2::bigint + i, account_id, sender, lane, 'sending', 1, $3::bigint + i, submit_at, send_at,
       now() - interval '1 day' + i * interval '1 s', -i, text, encoding, parts
     from orders, generate_series(1, $4::integer - 1) i where id = $1`,
    [one.id, rows[0].o, rows[0].f, count],
  );
  await db.query(
    `insert into messages (id, account_id, order_id, number, text_no, credits, status)
     select first_message_id, account_id, id, 905550000000, 1, 0, 110 from orders where account_id = $1 and id <> $2`,
    [accountId, one.id],
  );
  return one;
}

test('a backlog is taken in steps, each at once after the other', async () => {
  await manyOrders(2_101);
  await db.query(`update orders set state = 'finished' where account_id = $1`, [accountId]);
  const last = await overdueOrder(1);
  const { closing } = startClosing();
  expect(await closing()).toBe(0);
  expect(await isEnded(last)).toBe(false);
  expect(await closing()).toBeUndefined();
  expect(await isEnded(last)).toBe(true);
});

test('while 500 orders cannot be closed, no more are looked for', async () => {
  await manyOrders(501);
  const text =
    'select min(first_message_id) as first, count(*)::int as n from orders where account_id = $1 and close_after < now()';
  const { first, n } = (await db.query(text, [accountId])).rows[0];
  expect(n).toBe(500);
  const leased = await chunk(first, n, { isLeased: true });
  const { closing } = startClosing();
  expect(await closing()).toBeUndefined();
  const next = await overdueOrder(1);
  expect(await closing()).toBeUndefined();
  expect(await isEnded(next)).toBe(false);
  await db.query('delete from chunks where id = $1', [leased]);
  await db.query(`update orders set state = 'finished' where account_id = $1 and id <> $2`, [accountId, next.id]);
  await closing();
  await closing();
  expect(await isEnded(next)).toBe(true);
});
