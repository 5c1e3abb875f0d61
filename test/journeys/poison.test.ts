// A chunk that no dispatcher can send: a text stored under an unknown encoding. It is quarantined and reported; all other
// messages continue, from the same dispatcher.
import { beforeAll, expect, test } from 'vitest';
import { plainNumbers } from '../support/customers/journey-numbers.ts';
import { type Customer, type Program, startProgram } from '../support/program/program.ts';
import { wait } from '../support/run/wait.ts';

let program: Program;
let damaged: Customer;
let beside: Customer;

beforeAll(async () => {
  program = await startProgram();
  damaged = await program.account({ credits: 5_000, set: { rate: '10000' } });
  beside = await program.account({ credits: 5_000, set: { rate: '10000' } });
});

/** Orders in quarantine, one entry for each chunk. */
async function aside(): Promise<number[]> {
  return ((await program.cli('quarantine', 'list')) as { orderId: number }[]).map(one => one.orderId);
}

test('it is set aside and named, while its account and all others are served by the same dispatcher', async () => {
  const [dispatch] = program.processes('dispatch');
  await program.cli('carrier', 'pause', 'simulator');
  await wait('the bind to be released', async () => (await program.carrier.stats()).sessions === 0);
  const bad = await damaged.send('Bozuk', plainNumbers(600));
  await (await program.db()).query('update orders set encoding = 99 where id = $1', [bad]);
  const orders = [
    { customer: damaged, id: await damaged.send('Saglam', plainNumbers(600, 1)) },
    { customer: beside, id: await beside.send('Komsu', plainNumbers(600, 2)) },
    { customer: damaged, id: await damaged.send('Kod 1234', plainNumbers(1, 3)) },
  ];
  await program.cli('carrier', 'resume', 'simulator');
  for (const { customer, id } of orders) {
    const report = await customer.finished(id);
    expect(report).toMatchObject({ status: 114, undelivered: 0, waiting: 0 });
  }
  expect(await damaged.report(bad)).toMatchObject({ waiting: 600, delivered: 0 });
  expect((await program.carrier.stats()).delivered).toBe(1_201);
  expect(program.processes('dispatch')).toEqual([dispatch]);
  const { findings } = await program.audit();
  expect(findings.map(one => one.invariant)).toEqual(['no chunk is quarantined', 'no chunk is quarantined']);
  expect(findings.every(one => one.detail.startsWith(`order ${bad},`))).toBe(true);
});

test('released before its cause is corrected it is quarantined again, and nobody else suffers', async () => {
  const [order] = await aside();
  await program.cli('quarantine', 'release', String(order));
  await wait('it to be set aside again', async () => (await aside()).length === 2);
  const other = await beside.send('Yine', plainNumbers(1, 4));
  expect(await beside.finished(other)).toMatchObject({ status: 114, undelivered: 0 });
});

test('released after its cause was corrected it is sent', async () => {
  await program.cli('carrier', 'pause', 'simulator');
  await wait('the bind to be released', async () => (await program.carrier.stats()).sessions === 0);
  const order = await damaged.send('Duzelen', plainNumbers(30, 5));
  const db = await program.db();
  const { rows } = await db.query('select encoding from orders where id = $1', [order]);
  await db.query('update orders set encoding = 99 where id = $1', [order]);
  await program.cli('carrier', 'resume', 'simulator');
  await wait('it to be set aside', async () => (await aside()).includes(Number(order)));
  await db.query('update orders set encoding = $2 where id = $1', [order, rows[0].encoding]);
  await program.cli('quarantine', 'release', order);
  expect(await damaged.finished(order)).toMatchObject({ status: 114, delivered: 30, undelivered: 0 });
});

test('its messages do not wait for ever: they end with their order, and the credit is back', async () => {
  const db = await program.db();
  const { rows } = await db.query(
    'select m.order_id as id from chunks c cross join lateral chunk_messages(c) q cross join lateral unnest(q.ids, q.orders) m(message_id, order_id) where c.lost >= 2 limit 1',
  );
  const { id } = rows[0] as { id: number };
  // If the machine was so busy that a lease was lost, the rest is unsure: then a carrier may have received it.
  const doubts = await db.query('select 1 from unsure');
  const status = doubts.rowCount ? 114 : 115;
  await db.query(`update orders set close_after = now() - interval '1 second' where id = $1`, [id]);
  expect(await damaged.finished(String(id))).toMatchObject({ status, undelivered: 600, price: 0 });
  expect(await damaged.balance()).toBe(100 + 5_000 - 631);
  expect(await program.audit()).toEqual({ ok: true, findings: [] });
});
