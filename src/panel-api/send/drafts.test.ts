// Stored drafts and their orders: one list, checked whole, all of its orders or none.
import { afterAll, expect, test } from 'vitest';
import { audit } from '../../audit/invariants.ts';
import { type Browser, startPanel } from '../panel-fixture.ts';
import type { DraftHead, ListShape } from './contract.ts';

const panel = await startPanel();
const { pool } = panel.database;
afterAll(() => panel.stop());

const numbers: ListShape = { fileName: 'liste.csv', header: false, numberColumn: 0, names: ['numara'] };
const table: ListShape = { fileName: 'liste.xlsx', header: true, numberColumn: 1, names: ['ad', 'numara'] };
const head = (change: Partial<DraftHead> = {}): DraftHead => ({
  sender: 'APITEST',
  text: 'Merhaba',
  sendAt: null,
  commercial: false,
  ...change,
});

async function grant(accountId: number, sms: number): Promise<void> {
  await pool.query(
    `with g as (update balances set sms = sms + $2 where account_id = $1)
     insert into ledger_entries (account_id, kind, sms) values ($1, 'grant', $2)`,
    [accountId, sms],
  );
}

async function stored(
  browser: Browser,
  rows: string[][],
  change: Partial<DraftHead> = {},
  shape = numbers,
): Promise<number> {
  const { id } = await browser.ok('drafts.create', { head: head(change) });
  await putList(browser, id, rows, shape);
  return id;
}

async function putList(browser: Browser, id: number, rows: string[][], shape = numbers): Promise<void> {
  const { listNo } = await browser.ok('drafts.startList', { id, shape, rows: rows.length });
  for (let no = 0; no * 10_000 < rows.length; no++)
    await browser.ok('drafts.putRows', { id, listNo, no, rows: rows.slice(no * 10_000, (no + 1) * 10_000) });
}

const list = (count: number, from = 5_550_000_000) => Array.from({ length: count }, (_, i) => [String(from + i)]);

test('120,000 rows with numbers repeated anywhere are one plan: dry run, orders, messages and credit agree', async () => {
  const owner = await panel.owner();
  await grant(owner.accountId, 200_000);
  // Every number of the last 20,000 rows occurred in the first rows.
  const id = await stored(owner, [...list(100_000), ...list(20_000)]);
  const preview = await owner.ok('drafts.prepare', { id });
  expect(preview).toMatchObject({ given: 120_000, duplicate: 20_000, sendable: 100_000, credits: 100_000, orders: 2 });
  expect(preview.rows.duplicate[0]).toEqual({ row: 100_000, number: '+905550000000' });
  expect(preview.problems).toEqual([]);
  const { orderIds } = await owner.ok('drafts.submit', { id, version: preview.version });
  expect(orderIds).toHaveLength(2);
  const { rows } = await pool.query(
    `select count(*)::int as messages, count(distinct number)::int as numbers, sum(credits)::int as credits
     from messages where account_id = $1`,
    [owner.accountId],
  );
  expect(rows[0]).toEqual({ messages: 100_000, numbers: 100_000, credits: 100_000 });
  expect((await owner.ok('balance.read', {})).sms).toBe(preview.balanceAfter);
  expect(await audit(pool)).toEqual({ ok: true, findings: [] });
});

test('a list whose price the balance does not cover is refused whole, by the dry run and by the send', async () => {
  const owner = await panel.owner();
  await grant(owner.accountId, 70_000);
  // The balance would cover each of the two orders, but not both.
  const id = await stored(owner, list(80_000));
  const preview = await owner.ok('drafts.prepare', { id });
  expect(preview.problems).toMatchObject([{ code: '402' }]);
  expect(preview.credits).toBe(80_000);
  expect((await owner.refusal('drafts.submit', { id, version: preview.version })).code).toBe('402');
  expect((await owner.ok('orders.list', {})).rows).toEqual([]);
  expect((await owner.ok('balance.read', {})).sms).toBe(70_100);
  expect((await pool.query('select 1 from messages where account_id = $1', [owner.accountId])).rowCount).toBe(0);
});

test('ten clicks at once make the orders once and all get the same answer', async () => {
  const owner = await panel.owner();
  const id = await stored(owner, list(20));
  const { version } = await owner.ok('drafts.prepare', { id });
  const answers = await Promise.all(Array.from({ length: 10 }, () => owner.ok('drafts.submit', { id, version })));
  expect(new Set(answers.map(one => JSON.stringify(one))).size).toBe(1);
  expect((await owner.ok('orders.list', {})).rows).toHaveLength(1);
  expect((await owner.ok('drafts.list', {})).drafts).toEqual([]);
});

test('with fields too a number is written to once: the first of its rows counts', async () => {
  const owner = await panel.owner();
  const people = [
    ['Ad', 'Numara'],
    ['Ayşe', '5550000001'],
    ['Ali', '0555 000 00 02'],
    ['Veli', '+905550000001.0'],
  ];
  const id = await stored(owner, people, { text: 'Sayın {ad}' }, table);
  const preview = await owner.ok('drafts.prepare', { id });
  expect(preview).toMatchObject({ given: 3, duplicate: 1, sendable: 2, texts: 2 });
  expect(preview.rows.duplicate).toEqual([{ row: 2, number: '+905550000001' }]);
  const { orderIds } = await owner.ok('drafts.submit', { id, version: preview.version });
  const order = await owner.ok('orders.read', { id: orderIds[0]! });
  expect(order.total).toBe(2);
  expect(order.textList.map(one => one.text)).toEqual(['Sayin Ayse', 'Sayin Ali']);
});

test('so many an hour becomes an order each, none of them begun in quiet hours', async () => {
  const owner = await panel.owner();
  const change = { sendAt: '2099-03-02 19:30', perHour: 10, quiet: { from: '21:00', to: '09:00' } };
  const id = await stored(owner, list(25), change);
  const preview = await owner.ok('drafts.prepare', { id });
  expect(preview).toMatchObject({ orders: 3, sendable: 25, startAt: '2099-03-02T16:30:00.000Z' });
  const { orderIds } = await owner.ok('drafts.submit', { id, version: preview.version });
  const orders = await Promise.all(orderIds.map(one => owner.ok('orders.read', { id: one })));
  expect(orders.map(one => [one.total, one.state, one.sendAt])).toEqual([
    [10, 'scheduled', '2099-03-02T16:30:00.000Z'],
    [10, 'scheduled', '2099-03-02T17:30:00.000Z'],
    [5, 'scheduled', '2099-03-03T06:00:00.000Z'],
  ]);
  const planned = await owner.ok('orders.scheduled', {});
  expect([planned.total, planned.rows.map(one => one.id)]).toEqual([3, orderIds]);
});

test('an order in which nobody may be written to is left out while there are others', async () => {
  const owner = await panel.owner();
  await owner.ok('blacklist.add', { numbers: list(10).map(row => row[0]!) });
  const id = await stored(owner, [...list(20), ...Array.from({ length: 10 }, (_, i) => [`bad ${i}`])], { perHour: 10 });
  const preview = await owner.ok('drafts.prepare', { id });
  expect(preview).toMatchObject({ sendable: 10, blacklisted: 10, invalid: 10, problems: [] });
  const { orderIds } = await owner.ok('drafts.submit', { id, version: preview.version });
  expect(orderIds).toHaveLength(1);
  const nobody = await stored(owner, list(10));
  const none = await owner.ok('drafts.prepare', { id: nobody });
  expect(none.problems).toMatchObject([{ code: '452' }]);
  expect((await owner.refusal('drafts.submit', { id: nobody, version: none.version })).code).toBe('452');
});

test('what is sent is what was shown: a draft that changed since, or a list not yet whole, is refused', async () => {
  const owner = await panel.owner();
  const id = await stored(owner, list(3));
  const { version } = await owner.ok('drafts.prepare', { id });
  await owner.ok('drafts.save', { id, head: head({ text: 'başka' }) });
  expect((await owner.refusal('drafts.submit', { id, version })).code).toBe('draft-changed');
  const { listNo } = await owner.ok('drafts.startList', { id, shape: numbers, rows: 5 });
  await owner.ok('drafts.putRows', { id, listNo, no: 0, rows: list(4) });
  expect((await owner.refusal('drafts.prepare', { id })).code).toBe('list-incomplete');
  expect((await owner.refusal('drafts.putRows', { id, listNo: listNo - 1, no: 0, rows: list(1) })).code).toBe(
    'list-outdated',
  );
  expect((await owner.ok('orders.list', {})).rows).toEqual([]);
});

test('a draft is listed, read back whole on another machine, and deleted', async () => {
  const owner = await panel.owner();
  const id = await stored(
    owner,
    [
      ['Ad', 'Numara'],
      ['Ayşe', '5550000001'],
    ],
    { text: 'Sayın {ad}', fallbacks: { ad: 'x' } },
    table,
  );
  const { drafts } = await owner.ok('drafts.list', {});
  expect(drafts).toMatchObject([{ id, excerpt: 'Sayın {ad}', fileName: 'liste.xlsx', rows: 2, who: owner.email }]);
  const read = await owner.ok('drafts.read', { id });
  expect(read).toMatchObject({ head: { text: 'Sayın {ad}', fallbacks: { ad: 'x' } }, shape: table, isWhole: true });
  expect((await owner.ok('drafts.rows', { id, no: 0 })).rows).toEqual([
    ['Ad', 'Numara'],
    ['Ayşe', '5550000001'],
  ]);
  expect((await owner.ok('drafts.rows', { id, no: 1 })).rows).toBeNull();
  await owner.ok('drafts.delete', { id });
  expect((await owner.refusal('drafts.read', { id })).code).toBe('not-found');
});

test('an account keeps fifty drafts, and no more', async () => {
  const owner = await panel.owner();
  for (let i = 0; i < 50; i++) await owner.ok('drafts.create', { head: head() });
  expect((await owner.refusal('drafts.create', { head: head() })).code).toBe('too-many-drafts');
});
