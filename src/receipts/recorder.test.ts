// Answers and receipts are stored once, although the database fails meanwhile, and acknowledged only then.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lossyProxy } from '../../test/support/database/lossy-proxy.ts';
import { type Db, openPool } from '../db/db.ts';
import { silentLog } from '../log.ts';
import { claimChunks } from '../queue/claim.ts';
import { registerDispatcher } from '../queue/dispatcher-lease.ts';
import { type DispatchBench, dispatchBench } from '../sending/dispatch-fixture.ts';
import { FlushBatch, flush } from './flush.ts';
import { Inbox } from './inbox.ts';
import { ReceiptColumns, settleLeftReceipts, storeReceipts, strayRow } from './inbox-rows.ts';
import { gatherFor, Recorder } from './recorder.ts';
import { matchUnmatchedReceipts, type Walk } from './resolve.ts';
import { noteTestAnswer } from './test-messages.ts';

let bench: DispatchBench;
let account: number;
const unwritten = { carrier: null, single: true, written: [null] };

beforeAll(async () => {
  bench = await dispatchBench({ own: true });
  account = await bench.account();
});
afterAll(() => bench.close());

function recorderOn(db: Db, owner: number): Recorder {
  return new Recorder(
    db,
    silentLog,
    () => owner,
    () => {},
  );
}

async function submitsOf(messageId: number): Promise<number> {
  return (await bench.db.query('select 1 from submits where message_id = $1', [messageId])).rowCount!;
}

function submitted(batch: FlushBatch, messageId: number, id: string, part = 1, parts = 1): void {
  batch.addSubmit(1, id, messageId, part, parts);
}

/** Stores receipts as a dead process left them in the inbox, and settles them. */
async function report(
  ...receipts: { id: string; status?: number; number?: number; message?: number }[]
): Promise<void> {
  const [owner, no] = strayRow();
  await storeReceipts(bench.db, owner, no, columns(receipts));
  await settleLeftReceipts(bench.db, silentLog);
}

function columns(receipts: { id: string; status?: number; number?: number; message?: number }[]): ReceiptColumns {
  const made = new ReceiptColumns();
  for (const { id, status = 111, number = 905_550_000_000, message = 0 } of receipts) {
    made.carriers.push(1);
    made.ids.push(id);
    made.statuses.push(status);
    made.reasons.push(status === 111 ? 0 : 10);
    made.numbers.push(number);
    made.messages.push(message);
  }
  return made;
}

let texts = 0;
async function message(number = 5_550_000_000): Promise<{ order: number; id: number }> {
  const order = await bench.accept(account, `Kayit ${++texts}`, [String(number)]);
  return { order, id: (await bench.messages(order))[0]!.id };
}

test('a batch whose commit got no answer is retried and not stored twice', async () => {
  const proxy = await lossyProxy(bench.database.connection);
  const db = openPool(proxy.connection, { max: 1, name: 'peyk test', onError: () => {} });
  const owner = await registerDispatcher(bench.db, 'test');
  const { order, id } = await message();
  const [chunk] = await claimChunks(bench.db, owner, 0, [{ id: account, mark: 1 }], { messages: 1 });
  const recorder = recorderOn(db, owner);
  submitted(recorder.batch, id, 'silence');
  recorder.batch.later.push({
    account,
    lane: 0,
    kind: 1,
    ids: [id],
    attempt: 1,
    delay_ms: 60_000,
    ...unwritten,
  });
  recorder.batch.done.chunks.push(chunk!.chunkId!);
  recorder.batch.done.tokens.push(chunk!.token);
  proxy.swallowAnswerTo('flush');
  recorder.added();
  await recorder.drain();
  expect(proxy.swallowed).toBe(1);
  expect(await submitsOf(id)).toBe(1);
  expect(await bench.chunks(order)).toMatchObject([{ ids: [id] }]);
  await db.end();
  await proxy.close();
});

test('answers are gathered for as long as storing took, for longer beside other dispatchers, and for 50 ms at most', () => {
  expect([gatherFor(0, 2), gatherFor(0, 20), gatherFor(1, 2), gatherFor(1, 10), gatherFor(2, 400)]).toEqual([
    5, 20, 6, 30, 50,
  ]);
});

test('a dispatcher declared dead still stores answers of its carriers, but changes no chunk', async () => {
  const owner = await registerDispatcher(bench.db, 'test');
  const { order, id } = await message();
  const batch = new FlushBatch();
  submitted(batch, id, 'dead');
  batch.later.push({ account, lane: 0, kind: 2, ids: [id], attempt: 0, delay_ms: 0, ...unwritten });
  await bench.db.query('delete from dispatchers where id = $1', [owner]);
  await flush(bench.db, owner, 1, batch);
  expect(await submitsOf(id)).toBe(1);
  expect(await bench.unsure(order)).toEqual([]);
});

test('one answer that the database refuses is set aside and named, and everything beside it is stored', async () => {
  const owner = await registerDispatcher(bench.db, 'test');
  const [one, other] = [await message(), await message()];
  const errors: string[] = [];
  const log = { ...silentLog, error: (_: object, event: string) => void errors.push(event) };
  const recorder = new Recorder(
    bench.db,
    log,
    () => owner,
    () => {},
  );
  submitted(recorder.batch, one.id, 'fine-1');
  submitted(recorder.batch, one.id, 'no\0text');
  submitted(recorder.batch, other.id, 'fine-2');
  recorder.added();
  await recorder.drain();
  expect([await submitsOf(one.id), await submitsOf(other.id)]).toEqual([1, 1]);
  expect(errors).toEqual(['item set aside: the database refuses it']);
  const { rows } = await bench.db.query('delete from refused_items returning what, item, error');
  expect(rows).toMatchObject([{ what: 'answer', item: expect.stringContaining('no\\u0000text') }]);
});

test('one receipt that the database refuses is set aside and acknowledged like all others', async () => {
  const owner = await registerDispatcher(bench.db, 'test');
  const { order, id } = await message();
  const recorder = recorderOn(bench.db, owner);
  recorder.submitted(1, 'beside-poison', id, 905_550_000_000, 1, 1);
  await recorder.drain();
  const inbox = new Inbox(bench.db, silentLog, () => owner, recorder);
  let acknowledged = 0;
  for (const name of ['no\0text', 'beside-poison', 'unknown'])
    inbox.add(1, name, { status: 111, reason: 0 }, 0, () => acknowledged++);
  await inbox.drain();
  await recorder.drain();
  expect(acknowledged).toBe(3);
  expect(await bench.messages(order)).toMatchObject([{ status: 111 }]);
  expect((await bench.db.query(`delete from refused_items where what = 'receipt'`)).rowCount).toBe(1);
});

test('an inbox row that cannot be settled is halved until the bad receipt is found, also after its dispatcher died', async () => {
  const owner = await registerDispatcher(bench.db, 'test');
  const [one, other] = [await message(), await message()];
  const receipts = columns(
    [one.id, 9_000_000_000_000_000, other.id].map((id, i) => ({ id: `poison-${i}`, message: id })),
  );
  receipts.statuses[1] = 9_999;
  await bench.db.query('alter table messages add constraint status_known check (status < 1000) not valid');
  await bench.db.query(
    'insert into messages select 9000000000000000, account_id, order_id, number, text_no, credits, 110 from messages where id = $1',
    [one.id],
  );
  await storeReceipts(bench.db, owner, 1, receipts);
  await bench.db.query('delete from dispatchers where id = $1', [owner]);
  for (let i = 0; i < 4; i++) await settleLeftReceipts(bench.db, silentLog);
  expect(await bench.messages(other.order)).toMatchObject([{ status: 111 }]);
  expect((await bench.messages(one.order))[0]).toMatchObject({ status: 111 });
  expect((await bench.db.query('select 1 from receipt_inbox')).rowCount).toBe(0);
  expect((await bench.db.query(`delete from refused_items where what = 'receipt'`)).rowCount).toBe(1);
  await bench.db.query('delete from messages where id = 9000000000000000');
  await bench.db.query('alter table messages drop constraint status_known');
});

test('a dispatcher with a new identity drops what it gathered about chunks of the old one', async () => {
  const recorder = recorderOn(bench.db, await registerDispatcher(bench.db, 'test'));
  const { order, id } = await message();
  submitted(recorder.batch, id, 'disown');
  recorder.batch.later.push({ account, lane: 0, kind: 2, ids: [id], attempt: 0, delay_ms: 0, ...unwritten });
  recorder.disown();
  await recorder.drain();
  expect(await submitsOf(id)).toBe(1);
  expect(await bench.unsure(order)).toEqual([]);
});

test('a receipt stored beside its answer by two processes at once is matched afterwards', async () => {
  const { order, id } = await message();
  const answer = new FlushBatch();
  submitted(answer, id, 'beside');
  // Two overlapping transactions leave this behind: neither saw the other.
  await flush(bench.db, 0, 0, answer);
  await bench.db.query(
    `insert into receipts (carrier_id, smsc_id, status, reason, number) values (1, 'beside', 111, 0, 0)`,
  );
  expect(await bench.messages(order)).toMatchObject([{ status: 110 }]);
  expect(await matchUnmatchedReceipts(bench.db)).toBe(1);
  expect(await bench.messages(order)).toMatchObject([{ status: 111 }]);
  expect(await matchUnmatchedReceipts(bench.db)).toBe(0);
});

test('a receipt stored beside its answer is matched afterwards, though thousands of unmatched ones came since', async () => {
  const { order, id } = await message();
  const answer = new FlushBatch();
  submitted(answer, id, 'behind');
  await flush(bench.db, 0, 0, answer);
  await bench.db.query(
    `insert into receipts (carrier_id, smsc_id, status, reason, number)
     select 1, case n when 0 then 'behind' else 'nothing ' || n end, 111, 0, 0 from generate_series(0, 12000) n order by n`,
  );
  const walk: Walk = { below: null };
  expect(await matchUnmatchedReceipts(bench.db, walk)).toBe(0);
  expect(walk.below).not.toBeNull();
  expect(await matchUnmatchedReceipts(bench.db, walk)).toBe(1);
  expect(walk.below).toBeNull();
  expect(await bench.messages(order)).toMatchObject([{ status: 111 }]);
  await bench.db.query(`delete from receipts where smsc_id like 'nothing %'`);
});

test('a receipt stored beside its answer is matched afterwards, though its id is known for another number', async () => {
  const [other, one] = [await message(), await message(5_550_000_078)];
  const [first, second] = [new FlushBatch(), new FlushBatch()];
  submitted(first, other.id, 'reused');
  submitted(second, one.id, 'reused');
  await flush(bench.db, 0, 0, first);
  const owner = await registerDispatcher(bench.db, 'test');
  await storeReceipts(bench.db, owner, 1, columns([{ id: 'reused', number: 5_550_000_078 }]));
  const settling = await bench.db.connect();
  await settling.query('begin');
  const inbox = new FlushBatch();
  Object.assign(inbox.inbox, { owner, nos: [1], receipts: 1 });
  await flush(settling, owner, 1, inbox);
  // The answer is stored before the transaction that looked for it in vain has ended.
  await flush(bench.db, 0, 0, second);
  await settling.query('commit');
  settling.release();
  expect(await bench.messages(one.order)).toMatchObject([{ status: 110 }]);
  expect(await matchUnmatchedReceipts(bench.db)).toBe(1);
  expect(await bench.messages(one.order)).toMatchObject([{ status: 111 }]);
  expect(await bench.messages(other.order)).toMatchObject([{ status: 110 }]);
});

test('a receipt that came before its answer is matched, but not one of an hour before: carriers reuse ids', async () => {
  const [fresh, stale] = [await message(), await message()];
  await report({ id: 'early' }, { id: 'stale' });
  await bench.db.query(`update receipts set received_at = now() - interval '1 hour' where smsc_id = 'stale'`);
  const answers = new FlushBatch();
  submitted(answers, fresh.id, 'early');
  submitted(answers, stale.id, 'stale');
  await flush(bench.db, 0, 0, answers);
  expect(await bench.messages(fresh.order)).toMatchObject([{ status: 111 }]);
  expect(await bench.messages(stale.order)).toMatchObject([{ status: 110 }]);
});

test('a receipt repeated after it was settled changes nothing and is not stored', async () => {
  const { order, id } = await message();
  const answer = new FlushBatch();
  submitted(answer, id, 'again');
  await flush(bench.db, 0, 0, answer);
  for (let times = 0; times < 3; times++) await report({ id: 'again' });
  await report({ id: 'again', status: 112 });
  expect(await bench.messages(order)).toMatchObject([{ status: 111 }]);
  expect((await bench.db.query(`select 1 from receipts where smsc_id = 'again'`)).rowCount).toBe(0);
  const { rows } = await bench.db.query(`select kind from ledger_entries where order_id = $1 and kind = 'consume'`, [
    order,
  ]);
  expect(rows).toHaveLength(1);
});

test('of two messages with one id the number decides, and a receipt for a third number is stored as mismatched', async () => {
  const [one, other] = [await message(), await message(5_550_000_077)];
  const answers = new FlushBatch();
  submitted(answers, one.id, 'twice');
  submitted(answers, other.id, 'twice');
  await flush(bench.db, 0, 0, answers);
  const owner = await registerDispatcher(bench.db, 'test');
  const statuses = async () =>
    [...(await bench.messages(one.order)), ...(await bench.messages(other.order))].map(found => found.status);
  const row = async (no: number, number: number) => {
    await storeReceipts(bench.db, owner, no, columns([{ id: 'twice', number }]));
    const batch = new FlushBatch();
    Object.assign(batch.inbox, { owner, nos: [no], receipts: 1 });
    return flush(bench.db, owner, no, batch);
  };
  expect(await row(1, 5_559_999_999)).toEqual({ settled: 0, unmatched: 1, mismatched: 1 });
  expect(await statuses()).toEqual([110, 110]);
  // As carriers write numbers: with and without the country, or a zero.
  expect(await row(2, 5_550_000_000)).toEqual({ settled: 1, unmatched: 0, mismatched: 0 });
  expect(await statuses()).toEqual([111, 110]);
  expect(await row(3, 905_550_000_077)).toEqual({ settled: 1, unmatched: 0, mismatched: 0 });
  expect(await matchUnmatchedReceipts(bench.db)).toBe(0);
  const { rows } = await bench.db.query(`select mismatch from receipts where smsc_id = 'twice'`);
  expect(rows).toEqual([{ mismatch: true }]);
});

test('a receipt of a test message of staff changes no order, also when a customer’s message has its id', async () => {
  const { order, id } = await message();
  const answer = new FlushBatch();
  submitted(answer, id, 'tried');
  await flush(bench.db, 0, 0, answer);
  await noteTestAnswer(bench.db, 1, 905_550_009_999, 'tried');
  await report({ id: 'tried', number: 905_550_009_999 });
  expect(await bench.messages(order)).toMatchObject([{ status: 110 }]);
  expect((await bench.db.query(`select 1 from receipts where smsc_id = 'tried'`)).rowCount).toBe(0);
  await report({ id: 'tried' });
  expect(await bench.messages(order)).toMatchObject([{ status: 111 }]);
});

test('a receipt that was matched from memory ends its message, though the dispatcher died before it stored the answer', async () => {
  const { order, id } = await message();
  await report({ id: 'known', message: id });
  expect(await bench.messages(order)).toMatchObject([{ status: 111 }]);
  // Minutes later the carrier repeats it.
  await report({ id: 'known' });
  expect((await bench.db.query(`select 1 from receipts where smsc_id = 'known'`)).rowCount).toBe(0);
});

test('a long message ends when its last part is delivered, or when one part is not, and only once', async () => {
  const [whole, broken] = [await message(), await message()];
  const answers = new FlushBatch();
  for (const part of [1, 2, 3]) {
    submitted(answers, whole.id, `whole-${part}`, part, 3);
    submitted(answers, broken.id, `broken-${part}`, part, 3);
  }
  await flush(bench.db, 0, 0, answers);
  await report({ id: 'whole-1' }, { id: 'whole-3' }, { id: 'broken-2', status: 112 });
  expect(await bench.messages(whole.order)).toMatchObject([{ status: 110 }]);
  expect(await bench.messages(broken.order)).toMatchObject([{ status: 112, reason: 10 }]);
  await report(...['whole-1', 'whole-2', 'broken-1', 'broken-3'].map(id => ({ id })));
  expect(await bench.messages(whole.order)).toMatchObject([{ status: 111 }]);
  expect(await bench.messages(broken.order)).toMatchObject([{ status: 112 }]);
});

/** A message with an answer, and an inbox row with its receipt: acknowledged as row 1 of this dispatcher, not settled. */
async function acknowledged(owner: number, id: string): Promise<{ order: number; row: FlushBatch }> {
  const one = await message();
  const answer = new FlushBatch();
  submitted(answer, one.id, id);
  await flush(bench.db, owner, 1, answer);
  const receipts = columns([{ id }]);
  await storeReceipts(bench.db, owner, 1, receipts);
  // Once more, because the answer to its commit was lost.
  await storeReceipts(bench.db, owner, 1, receipts);
  const row = new FlushBatch();
  Object.assign(row.inbox, { owner, nos: [1], receipts: 1 });
  return { order: one.order, row };
}

test('an acknowledged receipt is settled once by its dispatcher, and by no other one while that one lives', async () => {
  const owner = await registerDispatcher(bench.db, 'test');
  const { order, row } = await acknowledged(owner, 'inbox');
  expect(await settleLeftReceipts(bench.db, silentLog)).toBe(0);
  expect(await bench.messages(order)).toMatchObject([{ status: 110 }]);
  expect(await flush(bench.db, owner, 2, row)).toMatchObject({ settled: 1, unmatched: 0 });
  expect(await flush(bench.db, owner, 2, row)).toMatchObject({ settled: 0, unmatched: 0 });
  expect(await bench.messages(order)).toMatchObject([{ status: 111 }]);
});

test('receipts that a dispatcher acknowledged before it died are settled by another, and not again when the paused one resumes', async () => {
  const owner = await registerDispatcher(bench.db, 'test');
  const { order, row } = await acknowledged(owner, 'left');
  await bench.db.query('delete from dispatchers where id = $1', [owner]);
  expect(await settleLeftReceipts(bench.db, silentLog)).toBe(1);
  expect(await bench.messages(order)).toMatchObject([{ status: 111 }]);
  expect(await flush(bench.db, owner, 2, row)).toMatchObject({ settled: 0, unmatched: 0 });
  expect((await bench.db.query('select 1 from receipt_inbox')).rowCount).toBe(0);
  expect(
    (await bench.db.query(`select 1 from ledger_entries where order_id = $1 and kind = 'consume'`, [order])).rowCount,
  ).toBe(1);
});

test('an unmatched receipt of a dead dispatcher keeps the time of its arrival', async () => {
  const owner = await registerDispatcher(bench.db, 'test');
  const receipts = columns([{ id: 'nobody' }]);
  await storeReceipts(bench.db, owner, 1, receipts);
  await bench.db.query(`update receipt_inbox set received_at = now() - interval '9 minutes'`);
  await bench.db.query('delete from dispatchers where id = $1', [owner]);
  expect(await settleLeftReceipts(bench.db, silentLog)).toBe(1);
  const { rows } = await bench.db.query(
    `select received_at < now() - interval '8 minutes' as old from receipts where smsc_id = 'nobody'`,
  );
  expect(rows).toEqual([{ old: true }]);
});
