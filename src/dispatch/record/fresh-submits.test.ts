// Submits that their dispatcher alone remembers: reported cheaply when their receipt comes to it within seconds, and found by everybody
// else in every other case. What they say is the same as what submits say that are entered at once (recorder.test.ts).
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { wait } from '../../../test/support/wait.ts';
import { silentLog } from '../../log.ts';
import { claimChunks } from '../../orders/claim.ts';
import { registerDispatcher, releaseLeases } from '../../orders/dispatcher-lease.ts';
import { ripenSubmits } from '../../orders/fresh-columns.ts';
import { meetReceipts } from '../../orders/meet-receipts.ts';
import { RecordBatch, type Recorded, storeRecords } from '../../orders/record.ts';
import { type DispatchBench, dispatchBench } from '../dispatch-fixture.ts';
import { resolveUnsure } from '../sending/unsure.ts';
import { FreshSubmits, ripeMs } from './fresh-submits.ts';
import { Inbox } from './inbox.ts';
import { Recorder } from './recorder.ts';

let bench: DispatchBench;
let account: number;
let owner: number;
let recorder: Recorder;
let inbox: Inbox;
let results: Recorded[];
let texts = 0;
const closing = { afterMs: 3_600_000, slackMs: 0 };
const later = { after: new Date(Date.now() + 3_600_000), slackMs: 0 };
const carrier = 1;

beforeAll(async () => {
  bench = await dispatchBench({ own: true });
  account = await bench.account();
});
beforeEach(async () => {
  await bench.db.query('truncate receipts, submissions, fresh_submits');
  owner = await registerDispatcher(bench.db, 'test');
  results = [];
  recorder = new Recorder(
    bench.db,
    silentLog,
    () => owner,
    closing,
    stored => void results.push(stored),
  );
  inbox = new Inbox(bench.db, silentLog, () => owner, recorder);
});
afterAll(() => bench.close());

async function message(of = account): Promise<{ order: number; id: number }> {
  const order = await bench.accept(of, `Taze ${++texts}`, ['5550000000']);
  return { order, id: (await bench.messages(order))[0]!.id };
}

const answered = (id: number, name: string, of = account) => recorder.submitted(carrier, name, of, id, 1, 1, true);

/** Acknowledged, and not settled before `recorder.drain`. */
async function reported(name: string, status = 111, at = inbox): Promise<void> {
  const { told } = at;
  told.carriers.push(carrier);
  told.ids.push(name);
  told.statuses.push(status);
  told.reasons.push(status === 111 ? 0 : 10);
  told.numbers.push(905_550_000_000);
  told.repeated.push(false);
  await new Promise<void>(resolve => at.added(resolve));
  await at.drain();
}

/** How many are remembered by row, entered for everybody, and receipts that fit nothing. */
async function stored(): Promise<{ rows: number; entered: number; receipts: number }> {
  const { rows } = await bench.db.query(
    `select (select count(*) from fresh_submits)::int as rows, (select count(*) from submissions)::int as entered,
       (select count(*) from receipts)::int as receipts`,
  );
  return rows[0];
}

const statusOf = async (order: number) => (await bench.messages(order)).map(one => one.status);
const nothing = { rows: 0, entered: 0, receipts: 0 };

async function consumed(order: number): Promise<number> {
  const found = await bench.db.query(`select 1 from ledger_entries where order_id = $1 and kind = 'consume'`, [order]);
  return found.rowCount!;
}

test('a receipt that comes within seconds ends its message, and the submit was never entered for everybody', async () => {
  const [delivered, failed] = [await message(), await message()];
  answered(delivered.id, 'f-1');
  answered(failed.id, 'f-2');
  await recorder.drain();
  expect(await stored()).toEqual({ rows: 1, entered: 0, receipts: 0 });
  await reported('f-1');
  await recorder.drain();
  expect(await stored()).toEqual({ rows: 1, entered: 0, receipts: 0 });
  await reported('f-2', 112);
  await recorder.drain();
  expect([await statusOf(delivered.order), await statusOf(failed.order)]).toEqual([[111], [112]]);
  expect(await stored()).toEqual(nothing);
  expect([await consumed(delivered.order), await consumed(failed.order)]).toEqual([1, 0]);
});

test('an answer and its receipt in one flush leave nothing behind', async () => {
  const { order, id } = await message();
  answered(id, 'at-once');
  await reported('at-once');
  await recorder.drain();
  expect(await statusOf(order)).toEqual([111]);
  expect(await stored()).toEqual(nothing);
});

test('the same receipt told again, in the same flush or later, is neither kept nor counted', async () => {
  const { order, id } = await message();
  answered(id, 'twice');
  await recorder.drain();
  await Promise.all([reported('twice'), reported('twice')]);
  await recorder.drain();
  expect(await stored()).toEqual(nothing);
  expect(await consumed(order)).toBe(1);
});

test('a receipt that comes before the answer to its submit ends its message with that answer', async () => {
  const { order, id } = await message();
  await reported('early');
  await recorder.drain();
  expect(await stored()).toEqual({ rows: 0, entered: 0, receipts: 1 });
  answered(id, 'early');
  await recorder.drain();
  expect(await statusOf(order)).toEqual([111]);
  expect(await stored()).toEqual(nothing);
  // Nobody was forgotten for it.
  answered((await message()).id, 'after early');
  await recorder.drain();
  expect(await stored()).toEqual({ rows: 1, entered: 0, receipts: 0 });
});

test('what has had no receipt for long is entered, and submits of a carrier that takes so long are entered at once for a while', async () => {
  let ms = 1_000;
  const fresh = new FreshSubmits(() => ms);
  let flush = 0;
  const store = async (...names: string[]) => {
    const batch = new RecordBatch();
    const remembered: boolean[] = [];
    for (const name of names) remembered.push(fresh.add(batch.fresh, carrier, name, account, (await message()).id));
    const row = fresh.take(batch.fresh, []);
    flush++;
    if (row) row.no = flush;
    fresh.stored(await storeRecords(bench.db, owner, flush, batch, later), batch);
    return remembered;
  };
  expect(await store('s-1', 's-2')).toEqual([true, true]);
  ms += ripeMs - 1;
  expect(fresh.ripeInMs).toBe(1);
  await store();
  expect(await stored()).toEqual({ rows: 1, entered: 0, receipts: 0 });
  ms += 1;
  await store();
  expect(await stored()).toEqual({ rows: 0, entered: 2, receipts: 0 });
  expect(fresh.ripeInMs).toBeNull();
  expect(await store('s-3')).toEqual([false]);
  ms += 60_000;
  expect(await store('s-4')).toEqual([true]);
});

test('whoever decides by what is entered has it entered first, and the receipt is found there', async () => {
  const { order, id } = await message();
  answered(id, 'taken');
  await recorder.drain();
  await ripenSubmits(bench.db);
  expect(await stored()).toEqual({ rows: 0, entered: 1, receipts: 0 });
  await reported('taken');
  await recorder.drain();
  expect(await statusOf(order)).toEqual([111]);
  expect(await stored()).toEqual(nothing);
  expect(results.map(one => one.isForgotten)).toEqual([false, true]);
  // For a while nothing is remembered.
  answered((await message()).id, 'at once then');
  await recorder.drain();
  expect(await stored()).toEqual({ rows: 0, entered: 1, receipts: 0 });
});

test('what is reported while it is being entered is entered no more', async () => {
  const { order, id } = await message();
  answered(id, 'settled first');
  answered((await message()).id, 'still open');
  await recorder.drain();
  await reported('settled first');
  await recorder.drain();
  expect(await statusOf(order)).toEqual([111]);
  await ripenSubmits(bench.db);
  const { rows } = await bench.db.query('select smsc_id from submissions');
  expect(rows).toEqual([{ smsc_id: 'still open' }]);
});

test('a receipt that came to another process is met as soon as the next answers are stored', async () => {
  const { order, id } = await message();
  answered(id, 'elsewhere');
  await recorder.drain();
  const other = new RecordBatch();
  for (const [column, value] of Object.entries({
    carriers: 1,
    ids: 'elsewhere',
    statuses: 111,
    reasons: 0,
    numbers: 0,
  }))
    (other.receipts[column as 'ids'] as unknown[]).push(value);
  other.receipts.repeated.push(false);
  expect(await storeRecords(bench.db, 0, 0, other, later)).toMatchObject({ settled: 0, unmatched: 1 });
  answered((await message()).id, 'the next one');
  await recorder.drain();
  await meetReceipts(bench.db);
  expect(await statusOf(order)).toEqual([111]);
  expect(await stored()).toEqual({ rows: 0, entered: 1, receipts: 0 });
});

test('when a row of the inbox is settled by somebody else meanwhile, the receipts of the others still tell of their own messages', async () => {
  const [gone, kept] = [await message(), await message()];
  answered(gone.id, 'gone');
  answered(kept.id, 'kept');
  await recorder.drain();
  const held = await bench.db.connect();
  try {
    // The recorder waits for its row of dispatchers, and both rows are in the batch that follows.
    await held.query('begin');
    await held.query('select 1 from dispatchers where id = $1 for update', [owner]);
    answered((await message()).id, 'in front');
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%record_3%'`;
    await wait('the recorder to wait', async () => (await bench.db.query(waiting)).rowCount === 1);
    await reported('gone');
    await reported('kept');
    await bench.db.query('delete from receipt_inbox where no = (select min(no) from receipt_inbox where owner = $1)', [
      owner,
    ]);
    await held.query('commit');
  } finally {
    held.release();
  }
  await recorder.drain();
  expect([await statusOf(gone.order), await statusOf(kept.order)]).toEqual([[110], [111]]);
});

/** The other of two dispatchers, which hands to the first what it has not submitted itself. */
async function otherDispatcher() {
  const id = await registerDispatcher(bench.db, 'other');
  const itsRecorder = new Recorder(
    bench.db,
    silentLog,
    () => id,
    closing,
    () => {},
    () => 1,
  );
  const itsInbox = new Inbox(
    bench.db,
    silentLog,
    () => id,
    itsRecorder,
    () => owner,
  );
  return { id, recorder: itsRecorder, inbox: itsInbox };
}

const inboxRows = async () => (await bench.db.query('select owner, no < 0 as handed from receipt_inbox')).rows;

test('a receipt that came to the other of two dispatchers is handed over and ends its message there, and nothing is entered', async () => {
  const [crossed, own] = [await message(), await message()];
  const other = await otherDispatcher();
  answered(crossed.id, 'crossed');
  await recorder.drain();
  other.recorder.submitted(carrier, 'own', account, own.id, 1, 1, true);
  await other.recorder.drain();
  await reported('crossed', 111, other.inbox);
  await reported('own', 111, other.inbox);
  await other.recorder.drain();
  expect([await statusOf(crossed.order), await statusOf(own.order)]).toEqual([[110], [111]]);
  expect(await inboxRows()).toEqual([{ owner, handed: true }]);
  // Looked for twice before it is settled: taken once.
  await inbox.takeHanded();
  await inbox.takeHanded();
  await recorder.drain();
  expect(await statusOf(crossed.order)).toEqual([111]);
  expect(await consumed(crossed.order)).toBe(1);
  expect([await stored(), await inboxRows()]).toEqual([nothing, []]);
  await releaseLeases(bench.db, other.id);
});

test('what was handed to a dispatcher that is gone is settled by whoever looks first', async () => {
  const { order, id } = await message();
  const other = await otherDispatcher();
  answered(id, 'handed');
  await recorder.drain();
  await reported('handed', 111, other.inbox);
  await releaseLeases(bench.db, owner);
  await meetReceipts(bench.db);
  expect(await statusOf(order)).toEqual([111]);
  expect([await stored(), await inboxRows()]).toEqual([nothing, []]);
  await releaseLeases(bench.db, other.id);
});

test('two submits under one id are both entered, and each receipt tells of one', async () => {
  const [first, second] = [await message(), await message()];
  answered(first.id, 'same');
  await recorder.drain();
  answered(second.id, 'same');
  await recorder.drain();
  expect(await stored()).toEqual({ rows: 0, entered: 2, receipts: 0 });
  await reported('same');
  await recorder.drain();
  expect([await statusOf(first.order), await statusOf(second.order)]).toEqual([[110], [111]]);
  await reported('same');
  await recorder.drain();
  expect([await statusOf(first.order), await statusOf(second.order)]).toEqual([[111], [111]]);
});

test('what a dispatcher remembered when it was declared dead is entered; should it wake, its receipts count once', async () => {
  const alone = await bench.account();
  const { order, id } = await message(alone);
  const [chunk] = await claimChunks(bench.db, owner, 0, [{ id: alone, mark: 1 }], { messages: 1 });
  expect(chunk).toMatchObject({ facts: [{ id: order }] });
  answered(id, 'dead', alone);
  await recorder.drain();
  await releaseLeases(bench.db, owner);
  expect(await stored()).toEqual({ rows: 0, entered: 1, receipts: 0 });
  // Its chunk goes to another, who finds nothing in it to send or to doubt.
  const heir = await registerDispatcher(bench.db, 'heir');
  expect(await claimChunks(bench.db, heir, 0, [{ id: alone, mark: 1 }], { messages: 1 })).toEqual([]);
  expect(await bench.chunks(order)).toEqual([]);
  await reported('dead');
  await recorder.drain();
  expect(await statusOf(order)).toEqual([111]);
  expect(await consumed(order)).toBe(1);
  await releaseLeases(bench.db, heir);
});

test('a submit in doubt whose answer is remembered is not sent once more', async () => {
  const { order, id } = await message();
  answered(id, 'late answer');
  await recorder.drain();
  await bench.db.query(
    'update chunks set kind = 2, ids = array[first_message_id], lease_owner = $2, lease_token = 7 where first_message_id = $1',
    [id, owner],
  );
  const [{ id: chunkId }] = (await bench.db.query('select id from chunks where first_message_id = $1', [id])).rows;
  const doubt = { chunkId, token: 7, accountId: account, kind: 2, attempt: 0, ids: [id], ageMs: 1_500 };
  const rule = { lane: 0, rule: () => 'lane' as const, holdMs: 1_000 } as const;
  const chunk = { ...doubt, numbers: [905_550_000_000], markedAt: new Date() };
  expect(await resolveUnsure(bench.db, chunk as never, rule, silentLog)).toEqual(new Set());
  expect(await statusOf(order)).toEqual([110]);
});

test('a message that is closed while its submit is remembered was handed to a carrier', async () => {
  const { order, id } = await message();
  answered(id, 'closed');
  await recorder.drain();
  await bench.db.query('update orders set close_after = now() where id = $1', [order]);
  await bench.db.query(`select close_order_1($1, $2, now() + interval '1 second')`, [account, order]);
  expect(await bench.messages(order)).toMatchObject([{ status: 112, reason: 14 }]);
  await reported('closed');
  await recorder.drain();
  expect(await statusOf(order)).toEqual([112]);
});

test('of an account that is fenced nothing is ended by memory: its receipt is kept for where it goes', async () => {
  const { order, id } = await message();
  answered(id, 'fenced');
  await recorder.drain();
  await bench.db.query(`insert into account_fences (account_id, why) values ($1, 'leaving')`, [account]);
  try {
    await reported('fenced');
    await recorder.drain();
    expect(await statusOf(order)).toEqual([110]);
    expect(await stored()).toEqual({ rows: 0, entered: 1, receipts: 1 });
  } finally {
    await bench.db.query('delete from account_fences');
  }
  await meetReceipts(bench.db);
  expect(await statusOf(order)).toEqual([111]);
});
