// What carriers said is stored once, whatever the database does meanwhile, and acknowledged only then.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { leakyDoor } from '../../../test/support/leaky-door.ts';
import { type Db, openPool } from '../../db/db.ts';
import { silentLog } from '../../log.ts';
import { claimChunks } from '../../orders/claim.ts';
import { registerDispatcher } from '../../orders/dispatcher-lease.ts';
import { ReceiptColumns, settleLeftReceipts, storeReceipts } from '../../orders/inbox.ts';
import { matchReceipts, RecordBatch, storeRecords } from '../../orders/record.ts';
import { type DispatchBench, dispatchBench } from '../dispatch-fixture.ts';
import { gatherFor, Recorder } from './recorder.ts';

let bench: DispatchBench;
let account: number;
const unwritten = { carrier: null, written: [null] };
const closing = { afterMs: 3_600_000, slackMs: 0 };
const later = { after: new Date(Date.now() + 3_600_000), slackMs: 0 };

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
    closing,
    () => {},
  );
}

async function submissionsOf(messageId: number): Promise<number> {
  return (await bench.db.query('select 1 from submissions where message_id = $1', [messageId])).rowCount!;
}

function submitted(batch: RecordBatch, messageId: number, id: string, part = 1, parts = 1): void {
  batch.enter(1, id, account, messageId, part, parts);
}

function receipt({ receipts }: { receipts: ReceiptColumns }, id: string, status = 111, repeated = false): void {
  receipts.carriers.push(1);
  receipts.ids.push(id);
  receipts.statuses.push(status);
  receipts.reasons.push(status === 111 ? 0 : 10);
  receipts.numbers.push(905_550_000_000);
  receipts.repeated.push(repeated);
}

let texts = 0;
async function message(): Promise<{ order: number; id: number }> {
  const order = await bench.accept(account, `Kayit ${++texts}`, ['5550000000']);
  return { order, id: (await bench.messages(order))[0]!.id };
}

test('a batch whose commit was answered by silence is tried again and not stored twice', async () => {
  const door = await leakyDoor(bench.database.connection);
  const db = openPool(door.connection, { max: 1, name: 'peyk test', onError: () => {} });
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
  door.swallowAnswerTo('record');
  recorder.added();
  await recorder.drain();
  expect(door.swallowed).toBe(1);
  expect(await submissionsOf(id)).toBe(1);
  expect(await bench.chunks(order)).toMatchObject([{ kind: 0, ids: [id] }]);
  await db.end();
  await door.close();
});

test('answers are gathered for as long as storing took, for longer where others store theirs, and never for more than 50 ms', () => {
  expect([gatherFor(0, 2), gatherFor(0, 20), gatherFor(1, 2), gatherFor(1, 10), gatherFor(2, 400)]).toEqual([
    5, 20, 6, 30, 50,
  ]);
});

test('what waits for storage runs after the commit, in one go with everything before it', async () => {
  const owner = await registerDispatcher(bench.db, 'test');
  const { order, id } = await message();
  const recorder = recorderOn(bench.db, owner);
  submitted(recorder.batch, id, 'ack');
  recorder.added();
  const stored = new Promise<number>(resolve => {
    receipt(recorder.batch, 'ack');
    recorder.added(() => resolve(recorder.backlog));
  });
  await stored;
  expect(await bench.messages(order)).toMatchObject([{ status: 111 }]);
  await recorder.drain();
});

test('a dispatcher declared dead still tells what its carriers said, but decides about no chunk', async () => {
  const owner = await registerDispatcher(bench.db, 'test');
  const { order, id } = await message();
  const batch = new RecordBatch();
  submitted(batch, id, 'dead');
  batch.later.push({ account, lane: 0, kind: 2, ids: [id], attempt: 0, delay_ms: 0, ...unwritten });
  await bench.db.query('delete from dispatchers where id = $1', [owner]);
  await storeRecords(bench.db, owner, 1, batch, later);
  expect(await submissionsOf(id)).toBe(1);
  expect((await bench.chunks(order)).map(one => one.kind)).toEqual([0]);
});

test('after a new identity, what was gathered about chunks of the old one is dropped', async () => {
  const recorder = recorderOn(bench.db, await registerDispatcher(bench.db, 'test'));
  const { order, id } = await message();
  submitted(recorder.batch, id, 'disown');
  recorder.batch.later.push({ account, lane: 0, kind: 2, ids: [id], attempt: 0, delay_ms: 0, ...unwritten });
  recorder.disown();
  await recorder.drain();
  expect(await submissionsOf(id)).toBe(1);
  expect((await bench.chunks(order)).map(one => one.kind)).toEqual([0]);
});

test('a receipt stored beside its answer by two processes at once is matched afterwards', async () => {
  const { order, id } = await message();
  const [answer, report] = [new RecordBatch(), new RecordBatch()];
  submitted(answer, id, 'beside');
  receipt(report, 'beside');
  // What two overlapping transactions leave behind: neither saw the other.
  await storeRecords(bench.db, 0, 0, answer, later);
  await bench.db.query(
    `insert into receipts (carrier_id, smsc_id, status, reason, number) values (1, 'beside', 111, 0, 0)`,
  );
  expect(await bench.messages(order)).toMatchObject([{ status: 110 }]);
  expect(await matchReceipts(bench.db)).toBe(1);
  expect(await bench.messages(order)).toMatchObject([{ status: 111 }]);
  expect(await matchReceipts(bench.db)).toBe(0);
});

test('a receipt that came first is matched by the answer, but not one from long before: ids begin again', async () => {
  const [fresh, stale] = [await message(), await message()];
  const receipts = new RecordBatch();
  receipt(receipts, 'early');
  receipt(receipts, 'stale');
  await storeRecords(bench.db, 0, 0, receipts, later);
  await bench.db.query(`update receipts set received_at = now() - interval '1 hour' where smsc_id = 'stale'`);
  const answers = new RecordBatch();
  submitted(answers, fresh.id, 'early');
  submitted(answers, stale.id, 'stale');
  await storeRecords(bench.db, 0, 0, answers, later);
  expect(await bench.messages(fresh.order)).toMatchObject([{ status: 111 }]);
  expect(await bench.messages(stale.order)).toMatchObject([{ status: 110 }]);
});

test('a repeated receipt is not kept when it fits nothing, and counts when its id is another message by now', async () => {
  const { order, id } = await message();
  const nothing = new RecordBatch();
  receipt(nothing, 'again', 111, true);
  expect(await storeRecords(bench.db, 0, 0, nothing, later)).toMatchObject({ settled: 0, unmatched: 0 });
  const anew = new RecordBatch();
  submitted(anew, id, 'again');
  receipt(anew, 'again', 111, true);
  expect(await storeRecords(bench.db, 0, 0, anew, later)).toMatchObject({ settled: 1 });
  expect(await bench.messages(order)).toMatchObject([{ status: 111 }]);
});

test('a long message ends when its last part is delivered, or when one part is not, and only once', async () => {
  const [whole, broken] = [await message(), await message()];
  const answers = new RecordBatch();
  for (const part of [1, 2, 3]) {
    submitted(answers, whole.id, `whole-${part}`, part, 3);
    submitted(answers, broken.id, `broken-${part}`, part, 3);
  }
  await storeRecords(bench.db, 0, 0, answers, later);
  const some = new RecordBatch();
  receipt(some, 'whole-1');
  receipt(some, 'whole-3');
  receipt(some, 'broken-2', 112);
  await storeRecords(bench.db, 0, 0, some, later);
  expect(await bench.messages(whole.order)).toMatchObject([{ status: 110 }]);
  expect(await bench.messages(broken.order)).toMatchObject([{ status: 112, reason: 10 }]);
  const rest = new RecordBatch();
  for (const id of ['whole-1', 'whole-2', 'broken-1', 'broken-3']) receipt(rest, id);
  expect(await storeRecords(bench.db, 0, 0, rest, later)).toMatchObject({ settled: 1 });
  expect(await bench.messages(whole.order)).toMatchObject([{ status: 111 }]);
  expect(await bench.messages(broken.order)).toMatchObject([{ status: 112 }]);
});

/** Answered, and its receipt acknowledged under the number 1 of this dispatcher, not settled. */
async function acknowledged(owner: number, id: string): Promise<{ order: number; row: RecordBatch }> {
  const one = await message();
  const answer = new RecordBatch();
  submitted(answer, one.id, id);
  await storeRecords(bench.db, owner, 1, answer, later);
  const receipts = new ReceiptColumns();
  receipt({ receipts }, id);
  await storeReceipts(bench.db, owner, 1, receipts);
  // Once more, because the answer to its commit was lost.
  await storeReceipts(bench.db, owner, 1, receipts);
  const row = new RecordBatch();
  Object.assign(row.inbox, { owner, nos: [1], receipts: 1 });
  return { order: one.order, row };
}

test('a receipt that was acknowledged is settled once by its dispatcher, and left alone by all others while that one lives', async () => {
  const owner = await registerDispatcher(bench.db, 'test');
  const { order, row } = await acknowledged(owner, 'inbox');
  expect(await settleLeftReceipts(bench.db)).toBe(0);
  expect(await bench.messages(order)).toMatchObject([{ status: 110 }]);
  expect(await storeRecords(bench.db, owner, 2, row, later)).toMatchObject({ settled: 1, unmatched: 0 });
  expect(await storeRecords(bench.db, owner, 2, row, later)).toMatchObject({ settled: 0, unmatched: 0 });
  expect(await bench.messages(order)).toMatchObject([{ status: 111 }]);
});

test('what a dispatcher acknowledged before it died is settled by another, and not again by the dead one when it wakes', async () => {
  const owner = await registerDispatcher(bench.db, 'test');
  const { order, row } = await acknowledged(owner, 'left');
  await bench.db.query('delete from dispatchers where id = $1', [owner]);
  expect(await settleLeftReceipts(bench.db)).toBe(1);
  expect(await bench.messages(order)).toMatchObject([{ status: 111 }]);
  expect(await storeRecords(bench.db, owner, 2, row, later)).toMatchObject({ settled: 0, unmatched: 0 });
  expect((await bench.db.query('select 1 from receipt_inbox')).rowCount).toBe(0);
  expect(
    (await bench.db.query(`select 1 from ledger_entries where order_id = $1 and kind = 'consume'`, [order])).rowCount,
  ).toBe(1);
});

test('a receipt of a dead dispatcher that fits nothing is kept with the time at which it came', async () => {
  const owner = await registerDispatcher(bench.db, 'test');
  const receipts = new ReceiptColumns();
  receipt({ receipts }, 'nobody');
  await storeReceipts(bench.db, owner, 1, receipts);
  await bench.db.query(`update receipt_inbox set received_at = now() - interval '9 minutes'`);
  await bench.db.query('delete from dispatchers where id = $1', [owner]);
  expect(await settleLeftReceipts(bench.db)).toBe(1);
  const { rows } = await bench.db.query(
    `select received_at < now() - interval '8 minutes' as old from receipts where smsc_id = 'nobody'`,
  );
  expect(rows).toEqual([{ old: true }]);
});
