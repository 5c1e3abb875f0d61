// What is past its time goes: orders after retention, idempotency keys after a day.
import { afterAll, expect, test } from 'vitest';
import { freshText, numbers, order, sendDateTime, sender } from '../../test/support/customers/samples.ts';
import { rowsRead } from '../../test/support/database/rows-read.ts';
import { testApp } from '../../test/support/program/app.ts';
import { generated } from '../cells/move/rows.ts';
import { nowMs, setClock } from '../time/clock.ts';
import { packColumns, storeColumns } from './order-columns.ts';
import { orderRetention } from './retention.ts';

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
    await orderRetention(app.db, 400, dayMs);
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
    await orderRetention(app.db, 400, dayMs);
    // More messages than one step removes.
    expect(await count('orders', old)).toBe(0);
    expect(await count('messages', old)).toBe(0);
    for (const id of [waiting, open, young]) expect(await count('orders', id)).toBe(1);
  });
});

/** So many copies of an order of one message, far from all other ids. */
async function cloneOrder(id: string, copies: number): Promise<void> {
  const clone = async (table: string, column: string, members: string) => {
    const { rows } = await app.db.query<{ names: string; values: string }>(
      `select string_agg(attname, ', ') as names, string_agg('(c.r).' || attname, ', ') as values from pg_attribute
       where attrelid = $1::regclass and attnum > 0 and not attisdropped and attname <> all ($2)`,
      // A view of a cluster's table does not show which are generated.
      [table, generated],
    );
    await app.db.query(
      `insert into ${table} (${rows[0]!.names}) select ${rows[0]!.values} from (
         select jsonb_populate_record(x, jsonb_build_object(${members})) as r
         from ${table} x, generate_series(1, $2::integer) g where x.${column} = $1) c`,
      [id, copies],
    );
  };
  const far = 1_000_000_000;
  await clone('messages', 'order_id', `'id', x.id + g + ${far}, 'order_id', x.order_id + g + ${far}`);
  await clone('orders', 'id', `'id', x.id + g + ${far}, 'first_message_id', x.first_message_id + g + ${far}`);
}

test('a day of one-time codes goes in few rounds, each reading what it removes and little of what stays', async () => {
  const account = await app.open({ senders: [sender], sms: 20_000 });
  const young = await account.send(order({}, freshText(), numbers(15_000)));
  const id = await account.send(order());
  await app.settle(account, id, 111);
  await cloneOrder(id, 2_500);
  await at(400 * dayMs + 60_000, async () => {
    const read = await rowsRead(app.db, tx => orderRetention(tx, 400, dayMs));
    expect(read['messages']).toBeLessThan(3 * 2_501);
    expect(read['message_numbers'] ?? 0).toBeLessThan(3 * 2_501);
  });
  const left = `select (select count(*)::int from orders where account_id = $1) as orders,
    (select count(*)::int from messages where account_id = $1) as messages, (select count(*)::int from order_removals) as removals`;
  expect((await app.db.query(left, [account.id])).rows).toEqual([{ orders: 1, messages: 15_000, removals: 0 }]);
  expect(await count('orders', young)).toBe(1);
});

test('where more is past its time than a round removes, the next one follows soon', async () => {
  const account = await app.open();
  await app.db.query(
    `insert into idempotency_keys (account_id, key, body_digest, order_id, created_at)
     select $1, 'eski' || i, '\\x00', i, now() - interval '2 days' from generate_series(1, 20500) i`,
    [account.id],
  );
  const round = () => orderRetention(app.db, 400, dayMs);
  expect(await round()).toBeLessThan(10_000);
  expect(await round()).toBeUndefined();
  const left = await app.db.query('select 1 from idempotency_keys where account_id = $1', [account.id]);
  expect(left.rowCount).toBe(0);
});

test('used-up idempotency keys go after a day', async () => {
  const account = await app.open({ senders: [sender] });
  await account.send(order(), { headers: { 'idempotency-key': 'bir' } });
  const keys = async () =>
    (await app.db.query('select key from idempotency_keys where account_id = $1', [account.id])).rows.length;
  await orderRetention(app.db, 400, dayMs);
  expect(await keys()).toBe(1);
  await at(dayMs + 60_000, async () => {
    await orderRetention(app.db, 400, dayMs);
    expect(await keys()).toBe(0);
  });
});
