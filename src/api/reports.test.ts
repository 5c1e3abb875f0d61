// get-report and get-reports: codes, fields and their types, counters, pages, times.
import { afterAll, expect, test } from 'vitest';
import { expectRefusal, expectSuccess } from '../../test/support/customers/answers.ts';
import {
  freshText,
  number,
  numbers,
  order,
  sendDateTime,
  sender,
  shown,
  today,
  wallClock,
} from '../../test/support/customers/samples.ts';
import { interleaved } from '../../test/support/database/interleaved.ts';
import { type TestAccount, testApp } from '../../test/support/program/app.ts';
import { orderRetention } from '../orders/retention.ts';
import { fireOrder } from '../queue/fire.ts';
import { orderList } from '../reports/order-list.ts';
import { orderReport } from '../reports/order-report.ts';
import { nowMs, setClock } from '../time/clock.ts';

const app = await testApp();
afterAll(() => app.close());
const account = await app.open({ senders: [sender], sms: 10_000 });
const hourMs = 3_600_000;

const report = (id: unknown, more: object = {}, from: TestAccount = account) =>
  from.call('get-report', { order: { id, ...more } });
const reports = (filter: object | null, more: object = {}, from: TestAccount = account) =>
  from.call('get-reports', { filter, ...more });

test('get-report shows exactly the fields of the specification, the id a string and every other number a number', async () => {
  const start = Math.floor(nowMs() / 1_000) * 1_000;
  const restore = setClock(() => start);
  const id = await account.send(order({}, 'a'.repeat(156), numbers(2)));
  restore();
  expect(expectSuccess(await report(id), 'order').order).toStrictEqual({
    id,
    status: 113,
    total: 2,
    delivered: 0,
    undelivered: 0,
    waiting: 2,
    submitAt: wallClock(start),
    sendAt: wallClock(start),
    sender,
    price: 4,
    message: [
      { number: shown(0), status: 110 },
      { number: shown(1), status: 110 },
    ],
  });
});

test('get-report takes the id as a string or as a number', async () => {
  const id = await account.send(order());
  for (const form of [id, Number(id)]) expect((await report(form)).response.order!.id).toBe(id);
});

test('counters, price and status follow the messages: 113 until the last one is final, then 114', async () => {
  const rich = await app.open({ senders: [sender] });
  const id = await rich.send(order({}, freshText(), numbers(4)));
  const state = async () => {
    const { status, delivered, undelivered, waiting, price } = (await report(id, {}, rich)).response.order!;
    const { sms } = (await rich.call('get-balance')).response.balance!;
    return { status, delivered, undelivered, waiting, price, sms };
  };
  expect(await state()).toEqual({ status: 113, delivered: 0, undelivered: 0, waiting: 4, price: 4, sms: 96 });
  await app.settle(rich, id, 111, 2);
  expect(await state()).toEqual({ status: 113, delivered: 2, undelivered: 0, waiting: 2, price: 4, sms: 96 });
  await app.settle(rich, id, 112, 1);
  expect(await state()).toEqual({ status: 113, delivered: 2, undelivered: 1, waiting: 1, price: 3, sms: 97 });
  await app.settle(rich, id, 112);
  expect(await state()).toEqual({ status: 114, delivered: 2, undelivered: 2, waiting: 0, price: 2, sms: 98 });
  expect((await report(id, {}, rich)).response.order!.message.map(one => one.status)).toEqual([111, 111, 112, 112]);
});

test('an order of which carriers delivered nothing has finished all the same: 114 and price 0', async () => {
  const id = await account.send(order({}, freshText(), numbers(2)));
  await app.settle(account, id, 112);
  expect((await report(id)).response.order).toMatchObject({ status: 114, delivered: 0, undelivered: 2, price: 0 });
});

test('get-report answers 455 to an order that is unknown or no id at all', async () => {
  for (const id of ['1', 99_999_999_999, '0', -5, 1.5, '', null, undefined, 'abc', [], {}, true, '9'.repeat(30)])
    expectRefusal(await report(id), 455);
});

test('get-report answers 455 to an order of another account', async () => {
  const id = await account.send(order());
  expectRefusal(await report(id, {}, await app.open()), 455);
});

test('get-report answers 455 once retention has removed the order', async () => {
  const old = await app.open({ senders: [sender] });
  const id = await old.send(order());
  await app.settle(old, id, 111);
  const start = nowMs();
  const restore = setClock(() => start + 3 * 24 * hourMs);
  await orderRetention(app.db, 1, 24 * hourMs);
  expectRefusal(await report(id, {}, old), 455);
  restore();
  expectRefusal(await old.call('cancel-order', { order: { id } }), 455);
  expect((await old.call('get-balance')).response.balance!.sms).toBe(99);
});

test('get-report answers 456 while a scheduled order waits for its time', async () => {
  const id = await account.send(order({ sendDateTime: sendDateTime(hourMs) }));
  expectRefusal(await report(id), 456);
});

test('a schedule that has fired is reported with the time it was scheduled for', async () => {
  const start = Math.floor(nowMs() / 60_000) * 60_000;
  const id = await account.send(order({ sendDateTime: sendDateTime(hourMs) }));
  await fireOrder(app.db, { id: Number(id), accountId: account.id, lane: 0, rate: 100 }, hourMs);
  const found = expectSuccess(await report(id), 'order').order!;
  expect(found).toMatchObject({ status: 113, waiting: 1 });
  expect([wallClock(start + hourMs), wallClock(start + hourMs + 60_000)]).toContain(found.sendAt);
  expect(found.submitAt < found.sendAt).toBe(true);
});

test('get-report answers 464 to a page below 1 or none', async () => {
  const id = await account.send(order());
  for (const page of ['0', 0, -1, '-1', 1.5, 'abc', [], {}, true]) expectRefusal(await report(id, { page }), 464);
});

test('an unknown order is refused before a scheduled one, and that before a wrong page', async () => {
  const id = await account.send(order({ sendDateTime: sendDateTime(hourMs) }));
  expectRefusal(await report('1', { page: 0 }), 455);
  expectRefusal(await report(id, { page: 0 }), 456);
});

test('get-report pages by rowCount, in the order the recipients were given', async () => {
  const given = [number(5), number(3), number(4), number(1), number(2)];
  const id = await account.send(order({}, freshText(), given));
  const page = async (more: object) => (await report(id, more)).response.order!.message.map(one => one.number);
  const shownAll = given.map(one => `+90${one}`);
  expect(await page({ page: '1', rowCount: '2' })).toEqual(shownAll.slice(0, 2));
  expect(await page({ page: 3, rowCount: 2 })).toEqual(shownAll.slice(4));
  for (const beyond of [4, '1000000', 9_007_199_254_740_991])
    expect(await page({ page: beyond, rowCount: 2 })).toEqual([]);
  for (const none of ['', null]) expect(await page({ page: none, rowCount: none })).toEqual(shownAll);
});

test('a rowCount above 1000 is taken as 1000, one that is none as the default', async () => {
  const id = await account.send(order({}, freshText(), numbers(1_001)));
  for (const rowCount of [1_001, '5000', 0, -1, 'all', [], 1e300])
    expect((await report(id, { rowCount })).response.order!.message).toHaveLength(1_000);
});

test('get-reports shows exactly the fields of the specification, ids as numbers, newest first', async () => {
  const lone = await app.open({ senders: [sender] });
  const start = Math.floor(nowMs() / 1_000) * 1_000;
  const restore = setClock(() => start);
  const first = await lone.send(order({}, freshText(), [number(), 'bad']));
  const second = await lone.send(order({ sendDateTime: '2098-12-25 10:05' }, freshText(), numbers(2)));
  restore();
  await app.settle(lone, first, 111);
  const common = { submitAt: wallClock(start), sender, total: 2 };
  expect(expectSuccess(await reports(today(), {}, lone), 'count', 'orders')).toMatchObject({
    count: 2,
    orders: [
      {
        id: Number(second),
        status: 113,
        ...common,
        delivered: 0,
        undelivered: 0,
        waiting: 2,
        sendAt: '2098-12-25 10:05:00',
      },
      { id: Number(first), status: 114, ...common, delivered: 1, undelivered: 1, waiting: 0, sendAt: wallClock(start) },
    ],
  });
  const [one] = (await reports(today(), {}, lone)).response.orders!;
  expect(Object.keys(one!).sort()).toEqual(
    ['id', 'status', 'total', 'delivered', 'undelivered', 'waiting', 'submitAt', 'sendAt', 'sender'].sort(),
  );
});

test('get-reports has 30 orders a page, the page given in the filter or beside it', async () => {
  const busy = await app.open({ senders: [sender] });
  const ids = [];
  for (let i = 0; i < 31; i++) ids.push(Number(await busy.send(order())));
  const page = async (filter: object, more: object = {}) =>
    expectSuccess(await reports({ ...today(), ...filter }, more, busy), 'count', 'orders');
  const newest = ids.toReversed();
  expect((await page({})).orders!.map(one => one.id)).toEqual(newest.slice(0, 30));
  for (const found of [
    await page({ page: 2 }),
    await page({ page: '2' }),
    await page({}, { page: 2 }),
    await page({ page: null }, { page: '2' }),
  ])
    expect(found).toMatchObject({ count: 31, orders: [{ id: newest[30] }] });
  expect(await page({ page: 3 })).toMatchObject({ count: 31, orders: [] });
});

test('bounds of get-reports count to the second, a bare date to its whole day in Turkey', async () => {
  const timed = await app.open({ senders: [sender] });
  const id = await timed.send(order());
  // 23:59:59.9 in Turkey on the last of March is still 20:59 in UTC.
  await app.db.query("update orders set submit_at = '2026-03-31 20:59:59.9+00' where id = $1", [id]);
  const count = async (start: string, end: string) => (await reports({ start, end }, {}, timed)).response.count;
  expect(await count('2026-03-31', '2026-03-31')).toBe(1);
  expect(await count('2026-03-25', '2026-04-04')).toBe(1);
  expect(await count('2026-04-01', '2026-04-02')).toBe(0);
  expect(await count('2026-03-30', '2026-03-30')).toBe(0);
  expect(await count('2026-03-31 23:59:59', '2026-03-31 23:59:59')).toBe(1);
  expect(await count('2026-03-31 23:59', '2026-03-31 23:59:59')).toBe(1);
  expect(await count('2026-03-31 00:00:00', '2026-03-31 23:59:58')).toBe(0);
});

test('a range without orders is an empty list with count 0', async () => {
  expect(expectSuccess(await reports({ start: '2020-01-01', end: '2020-01-02' }), 'count', 'orders')).toMatchObject({
    count: 0,
    orders: [],
  });
});

test('get-reports answers 458 to a range that is incomplete, backwards, impossible or longer than 10 days', async () => {
  const wrong = [
    null,
    {},
    { start: '2026-04-01' },
    { start: '2026-04-01', end: null },
    { start: '', end: '' },
    { start: '2026-04-02', end: '2026-04-01' },
    { start: '2026-04-01', end: '2026-04-12' },
    { start: '2026-02-30', end: '2026-03-01' },
    { start: '01/04/2026', end: '02/04/2026' },
    { start: 20260401, end: 20260402 },
    { start: ['2026-04-01'], end: '2026-04-02' },
    { start: '2026-04-01 25:00:00', end: '2026-04-02' },
  ];
  for (const filter of wrong) expectRefusal(await reports(filter), 458);
  expectSuccess(await reports({ start: '2026-04-01', end: '2026-04-11' }), 'count', 'orders');
});

test('get-reports answers 464 to a page below 1, after 458', async () => {
  for (const page of [0, '0', -1, 'x', []]) expectRefusal(await reports({ ...today(), page }), 464);
  expectRefusal(await reports(today(), { page: 0 }), 464);
  expectRefusal(await reports({ page: 0 }), 458);
});

test('get-reports shows no order of another account', async () => {
  expect((await reports(today(), {}, await app.open())).response.count).toBe(0);
});

test('the counters of a report are of the same moment as its messages, and a count as its page', async () => {
  const busy = await app.open({ senders: [sender] });
  const id = await busy.send(order({}, freshText(), numbers(2)));
  const settling = interleaved(app.db, () => app.settle(busy, id, 111));
  const found = (await orderReport(settling, busy.id, Number(id), 1, 10))!;
  expect([found.delivered, ...found.messages.map(one => one.status)]).toEqual([0, 110, 110]);
  const sending = interleaved(app.db, () => busy.send(order()));
  const listed = await orderList(sending, busy.id, new Date(0), new Date(nowMs() + hourMs), 1);
  expect([listed.count, listed.orders.length]).toEqual([1, 1]);
});

test('nothing of all this broke an invariant or was a fault of the server', async () => {
  expect(await app.audit()).toEqual({ ok: true, findings: [] });
  expect(app.faults).toEqual([]);
});
