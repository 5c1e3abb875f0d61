// A delivery receipt that comes after its message was closed: the only correction of an ended message, credit included.
import { afterAll, expect, test } from 'vitest';
import { freshText, numbers, order, sender } from '../../test/support/customers/samples.ts';
import { type TestAccount, testApp } from '../../test/support/program/app.ts';
import { silentLog } from '../log.ts';
import { FlushBatch, flush } from '../receipts/flush.ts';
import { ReceiptColumns, settleLeftReceipts, storeReceipts, strayRow } from '../receipts/inbox-rows.ts';

const app = await testApp();
afterAll(() => app.close());
let submits = 0;

type Submitted = { account: TestAccount; id: string; messages: number[]; smscIds: string[] };

/** An order; the carrier accepted each of its messages under an id. */
async function submitted(count: number, sms = 0): Promise<Submitted> {
  const account = await app.open({ senders: [sender], sms });
  await app.db.query(`insert into webhook_endpoints (account_id, url) values ($1, 'https://ornek.com')`, [account.id]);
  const id = await account.send(order({}, freshText(), numbers(count)));
  const { rows } = await app.db.query('select id from messages where order_id = $1 order by id', [id]);
  const messages = rows.map(row => row.id as number);
  const smscIds = messages.map(() => `s${++submits}`);
  const batch = new FlushBatch();
  for (const [i, message] of messages.entries()) batch.addSubmit(1, smscIds[i]!, message, 1, 1);
  await flush(app.db, 0, 0, batch);
  await app.db.query(
    'delete from chunks c using orders o where o.id = $1 and c.first_message_id = o.first_message_id',
    [id],
  );
  return { account, id, messages, smscIds };
}

async function receipts(ids: string[], status: 111 | 112, reason = 0): Promise<void> {
  const columns = new ReceiptColumns();
  for (const id of ids) {
    columns.carriers.push(1);
    columns.ids.push(id);
    columns.statuses.push(status);
    columns.reasons.push(reason);
    columns.numbers.push(0);
    columns.messages.push(0);
  }
  await storeReceipts(app.db, ...strayRow(), columns);
  await settleLeftReceipts(app.db, silentLog);
}

async function close(one: Submitted): Promise<void> {
  await app.db.query(`update orders set close_after = now() - interval '1 s' where id = $1`, [one.id]);
  await app.db.query(`select close_order($1, $2, now(), '0')`, [one.account.id, one.id]);
}

async function report({ account, id }: Submitted) {
  const { status, delivered, undelivered, waiting, price } = (await account.call('get-report', { order: { id } }))
    .response.order as unknown as Record<string, number>;
  return { status, delivered, undelivered, waiting, price };
}

const spendable = async ({ account }: Submitted) => (await account.call('get-balance')).response.balance!.sms;

async function corrections({ account }: Submitted) {
  const text = `select sms, reserved, reason from ledger_entries where account_id = $1 and kind = 'correct' order by id`;
  return (await app.db.query(text, [account.id])).rows;
}

async function events({ account }: Submitted): Promise<number[][]> {
  const text = `select message_ids as ids from webhook_outbox where account_id = $1 and kind = 'final' order by id`;
  return (await app.db.query(text, [account.id])).rows.map(row => row.ids);
}

test('a DELIVRD after the message was closed corrects it once: report, credit, ledger and webhook', async () => {
  const one = await submitted(2);
  await close(one);
  expect(await report(one)).toEqual({ status: 114, delivered: 0, undelivered: 2, waiting: 0, price: 0 });
  expect(await spendable(one)).toBe(100);
  for (let times = 0; times < 3; times++) await receipts([one.smscIds[0]!], 111);
  expect(await report(one)).toEqual({ status: 114, delivered: 1, undelivered: 1, waiting: 0, price: 1 });
  expect(await spendable(one)).toBe(99);
  expect(await corrections(one)).toEqual([{ sms: -1, reserved: 0, reason: 'Sonradan bildirilen teslim: 1 mesaj' }]);
  expect(await events(one)).toEqual([one.messages, [one.messages[0]]]);
  expect(await app.audit()).toEqual({ ok: true, findings: [] });
});

test.each([
  ['the carrier itself had said that it failed', async (one: Submitted) => receipts(one.smscIds, 112, 10)],
  [
    'it was closed and the carrier then said that it failed',
    async (one: Submitted) => {
      await close(one);
      await receipts(one.smscIds, 112, 10);
    },
  ],
])('a DELIVRD changes nothing when %s', async (_name, happened) => {
  const one = await submitted(1);
  await happened(one);
  const before = await report(one);
  await receipts(one.smscIds, 111);
  expect(await report(one)).toEqual(before);
  expect([await spendable(one), await corrections(one)]).toEqual([100, []]);
});

test('a correction never makes a balance negative: the message counts as delivered, and the ledger says what was not paid', async () => {
  const one = await submitted(3);
  await close(one);
  await one.account.send(order({}, freshText(), numbers(98)));
  expect(await spendable(one)).toBe(2);
  await receipts(one.smscIds, 111);
  expect(await report(one)).toEqual({ status: 114, delivered: 3, undelivered: 0, waiting: 0, price: 2 });
  expect(await spendable(one)).toBe(0);
  const reason = 'Sonradan bildirilen teslim: 3 mesaj; bakiye yetmedi, 1 mesaj ücretsiz';
  expect(await corrections(one)).toEqual([{ sms: -2, reserved: 0, reason }]);
  expect(await app.audit()).toEqual({ ok: true, findings: [] });
});

test('concurrent corrections, repeated receipts and new orders leave a ledger that adds up and no negative balance', async () => {
  const one = await submitted(60);
  await close(one);
  const sends = Array.from({ length: 30 }, () =>
    one.account.call('send-sms', { order: order({}, freshText(), numbers(2)) }),
  );
  const reported = Array.from({ length: 12 }, (_, i) =>
    receipts(one.smscIds.slice((i % 6) * 10, (i % 6) * 10 + 10), 111),
  );
  await Promise.all([...sends, ...reported]);
  expect(await report(one)).toMatchObject({ delivered: 60, undelivered: 0 });
  expect(await spendable(one)).toBeGreaterThanOrEqual(0);
  expect((await events(one)).slice(1).flat().sort()).toEqual(one.messages);
  expect(await app.audit()).toEqual({ ok: true, findings: [] });
});

test('an order past its retention is not corrected', async () => {
  const one = await submitted(1);
  await close(one);
  await app.db.query('delete from orders where id = $1', [one.id]);
  await receipts(one.smscIds, 111);
  expect([await spendable(one), await corrections(one)]).toEqual([100, []]);
});
