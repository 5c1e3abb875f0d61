import { afterAll, expect, test } from 'vitest';
import { freshText, number, numbers, order, sender } from '../../test/support/customers/samples.ts';
import { testApp } from '../../test/support/program/app.ts';
import { orderList } from './order-list.ts';
import { orderReport } from './order-report.ts';

const app = await testApp();
afterAll(() => app.close());
const account = await app.open({ senders: [sender], sms: 10_000 });

test('pages of any size together are the whole order, each recipient once, also while others send', async () => {
  const given = numbers(503);
  const [id] = await Promise.all([
    account.send(order({}, freshText(), given)),
    ...Array.from({ length: 20 }, () => account.send(order({}, freshText(), numbers(3)))),
  ]);
  for (const rowCount of [1_000, 503, 100, 77]) {
    const found: string[] = [];
    for (let page = 1; page <= Math.ceil(503 / rowCount) + 1; page++)
      found.push(
        ...(await orderReport(app.db, account.id, Number(id), page, rowCount))!.messages.map(one => one.number),
      );
    expect(found).toEqual(given.map(one => `+90${one}`));
  }
});

test('the last page is read by the range of its ids, not by skipping what comes before', async () => {
  const id = await account.send(order({}, freshText(), numbers(2_000)));
  await app.db.query('analyze messages');
  const { rows: facts } = await app.db.query('select first_message_id as first from orders where id = $1', [id]);
  const { rows } = await app.db.query(
    `explain select status from messages where account_id = ${account.id} and id >= ${facts[0].first} and id < ${facts[0].first + 100} order by id`,
  );
  const plan = rows.map(row => row['QUERY PLAN']).join('\n');
  expect(plan).toContain('messages_pkey');
  expect(plan).not.toContain('Seq Scan');
});

test('an order is nobody else’s', async () => {
  const id = await account.send(order());
  const other = await app.open();
  expect(await orderReport(app.db, other.id, Number(id), 1, 10)).toBeNull();
});

test('orders of the same instant are listed once each, whatever the page', async () => {
  const busy = await app.open({ senders: [sender] });
  const ids = await Promise.all(Array.from({ length: 65 }, (_, i) => busy.send(order({}, freshText(), [number(i)]))));
  const at = new Date('2026-05-01T10:00:00Z');
  await app.db.query('update orders set submit_at = $2 where account_id = $1', [busy.id, at]);
  const found: number[] = [];
  for (let page = 1; page <= 4; page++)
    found.push(...(await orderList(app.db, busy.id, at, new Date(at.getTime() + 1), page)).orders.map(one => one.id));
  expect(found).toEqual(ids.map(Number).sort((a, b) => b - a));
});
