// What is past its time goes: orders after retention, messages nobody reported after their grace.
import { afterAll, expect, test } from 'vitest';
import { testApp } from '../../test/support/app.ts';
import { freshText, numbers, order, sendDateTime, sender } from '../../test/support/samples.ts';
import { nowMs, setClock } from '../clock.ts';
import { silentLog } from '../log.ts';
import { closeOverdue } from './close.ts';
import { packColumns, storeColumns } from './order-columns.ts';
import { OrderRetention } from './retention.ts';

const app = await testApp();
afterAll(() => app.close());
const dayMs = 86_400_000;

async function at<T>(aheadMs: number, work: () => Promise<T>): Promise<T> {
  const start = nowMs();
  const restore = setClock(() => start + aheadMs);
  try {
    return await work();
  } finally {
    restore();
  }
}

const count = async (table: string, id: string) => {
  const column = table === 'orders' ? 'id' : 'order_id';
  return (await app.db.query(`select count(*)::int as n from ${table} where ${column} = $1`, [id])).rows[0].n;
};

test('an ended order goes after the retention period with its texts and messages; its ledger entries stay', async () => {
  const account = await app.open({ senders: [sender] });
  const id = await account.send(order({}, freshText(), numbers(3)));
  await app.settle(account, id, 111);
  const columns = (await packColumns(['ad'], [['Ayşe'], ['Ali'], ['Can']]))!;
  await storeColumns(app.db, account.id, Number(id), columns);
  await at(400 * dayMs + 60_000, async () => {
    await new OrderRetention(app.db, 400).round();
    expect(await count('orders', id)).toBe(0);
  });
  for (const table of ['messages', 'order_texts', 'order_columns']) expect(await count(table, id), table).toBe(0);
  expect(await count('ledger_entries', id)).toBe(2);
  expect((await account.call('get-balance')).response.balance!.sms).toBe(97);
  expect(await app.audit()).toEqual({ ok: true, findings: [] });
});

test('orders that are scheduled, under way or young stay', async () => {
  const account = await app.open({ senders: [sender], sms: 5_000 });
  const [waiting, open, old] = [
    await account.send(order({ sendDateTime: sendDateTime(3_600_000) })),
    await account.send(order()),
    await account.send(order({}, freshText(), numbers(2_500))),
  ];
  await app.settle(account, old, 112);
  await at(400 * dayMs + 60_000, async () => {
    const young = await account.send(order());
    await app.settle(account, young, 111);
    await new OrderRetention(app.db, 400).round();
    // More messages than one step removes.
    expect(await count('orders', old)).toBe(0);
    expect(await count('messages', old)).toBe(0);
    for (const id of [waiting, open, young]) expect(await count('orders', id)).toBe(1);
  });
});

test('used-up idempotency keys go after a day', async () => {
  const account = await app.open({ senders: [sender] });
  await account.send(order(), { headers: { 'idempotency-key': 'bir' } });
  const keys = async () =>
    (await app.db.query('select key from idempotency_keys where account_id = $1', [account.id])).rows.length;
  await new OrderRetention(app.db, 400).round();
  expect(await keys()).toBe(1);
  await at(dayMs + 60_000, async () => {
    await new OrderRetention(app.db, 400).round();
    expect(await keys()).toBe(0);
  });
});

test('an order without receipts is closed after validity and grace, its credit given back', async () => {
  const account = await app.open({ senders: [sender] });
  const id = await account.send(order({}, freshText(), numbers(3)));
  await app.settle(account, id, 111, 1);
  await at(dayMs + 60_000, async () => {
    await closeOverdue(app.db, silentLog);
    expect((await account.call('get-report', { order: { id } })).response.order!.status).toBe(114);
  });
  const report = (await account.call('get-report', { order: { id } })).response.order!;
  expect(report).toMatchObject({ delivered: 1, undelivered: 2, waiting: 0, price: 1 });
  expect((await account.call('get-balance')).response.balance!.sms).toBe(99);
  expect(await count('chunks', id)).toBe(0);
});
