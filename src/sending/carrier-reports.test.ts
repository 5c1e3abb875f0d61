// Receipts as they arrive: which are stored, which are acknowledged, and how many are read while nothing can be stored. The order of
// receipt and answer is tested in test/journeys/receipts.test.ts.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ScriptedCarrier, Submit } from '../../test/support/carriers/scripted-carrier.ts';
import { wait } from '../../test/support/run/wait.ts';
import { publishTallies } from '../carriers/carrier-tally.ts';
import { silentLog } from '../log.ts';
import { Inbox } from '../receipts/inbox.ts';
import { backlogMax, Recorder, unsettledMax } from '../receipts/recorder.ts';
import { matchUnmatchedReceipts } from '../receipts/resolve.ts';
import { CarrierReports } from './carrier-reports.ts';
import { type DispatchBench, dispatchBench, secretKey } from './dispatch-fixture.ts';
import type { Flight } from './flight.ts';
import { Router } from './links/router.ts';
import { SlotLocks } from './links/slot-locks.ts';

let bench: DispatchBench;
let carrier: ScriptedCarrier;
let locks: SlotLocks;
let router: Router<Flight>;
let recorder: Recorder;
let inbox: Inbox;
let reports: CarrierReports;

beforeEach(async () => {
  bench = await dispatchBench();
  carrier = await bench.scripted('scripted', { 'receipt-id': 'hex', 'answer-id': 'decimal' });
  recorder = new Recorder(
    bench.db,
    silentLog,
    () => 0,
    () => reports.stored(),
  );
  inbox = new Inbox(bench.db, silentLog, () => 0, recorder);
  reports = new CarrierReports(recorder, inbox, bench.db, silentLog);
  locks = new SlotLocks(bench.database.connection, silentLog);
  const onRequest = reports.onRequest.bind(reports);
  const nothing = () => {};
  const events = {
    onAccepted: nothing,
    onRefused: nothing,
    onLateAccepted: nothing,
    onLost: nothing,
    onRoom: nothing,
    onState: nothing,
    onTrouble: nothing,
    mayWrite: () => true,
    onRequest,
  };
  router = new Router<Flight>({ db: bench.db, key: secretKey, events, locks, log: silentLog });
  await router.reload();
  await wait('the bind', () => router.anyBound() && carrier.open.length === 1);
});
afterEach(async () => {
  await router.stop();
  await inbox.drain();
  await recorder.drain();
  await locks.stop();
  await bench.close();
});

const phone = (): Submit => ({ number: '905550000000', text: '', bind: carrier.open[0]!, pdu: null as never });

async function unmatched(): Promise<unknown[]> {
  await recorder.drain();
  return (await bench.db.query('select smsc_id as id, status, number from receipts order by id')).rows;
}

test('a receipt for an unknown id is stored with its number and its normalised id', async () => {
  expect(await carrier.receipt(phone(), '00FF')).toBe(0);
  expect(await unmatched()).toEqual([{ id: '255', status: 111, number: 905_550_000_000 }]);
});

test('an intermediate receipt is acknowledged, ends no message, and is counted by its state for staff', async () => {
  for (const stat of ['ENROUTE', 'ACCEPTD', 'UNKNOWN', 'HMMM', 'HMMM', 'FAILED', ''])
    expect(await carrier.receipt(phone(), 'a1', { stat })).toBe(0);
  expect(await carrier.receipt(phone(), '')).toBe(0);
  expect(await unmatched()).toEqual([]);
  await publishTallies(bench.db, 'words', router.links);
  await publishTallies(bench.db, 'words', router.links);
  const { rows } = await bench.db.query('select word, times, last_id as id from carrier_words order by word');
  expect(rows).toEqual([
    { word: '(no id)', times: 1, id: '' },
    { word: '(none)', times: 1, id: 'a1' },
    { word: 'ACCEPTD', times: 1, id: 'a1' },
    { word: 'ENROUTE', times: 1, id: 'a1' },
    { word: 'FAILED', times: 1, id: 'a1' },
    { word: 'HMMM', times: 2, id: 'a1' },
    { word: 'UNKNOWN', times: 1, id: 'a1' },
  ]);
});

test('any number of unknown states is counted in bounded space', async () => {
  for (let i = 0; i < 200; i++) expect(await carrier.receipt(phone(), 'a1', { stat: `WORD${i}` })).toBe(0);
  expect(router.links[0]!.words.counts.size).toBe(51);
  await publishTallies(bench.db, 'words', router.links);
  expect((await bench.db.query('select 1 from carrier_words')).rowCount).toBe(20);
});

test('a repeated receipt for an unknown id is stored once', async () => {
  expect(await carrier.receipt(phone(), '7')).toBe(0);
  expect(await carrier.receipt(phone(), '7')).toBe(0);
  expect(await unmatched()).toHaveLength(1);
});

test('two simultaneous receipts with an id that the carrier gave twice end the messages to their numbers', async () => {
  const account = await bench.account();
  const order = await bench.accept(account, 'Aynı kimlik', [5_550_000_001, 5_550_000_002]);
  for (const { id, number } of await bench.messages(order)) recorder.submitted(1, '255', id, number, 1, 1);
  const to = (number: string) => ({ ...phone(), number });
  const answers = [
    carrier.receipt(to('905550000001'), 'FF'),
    carrier.receipt(to('905550000002'), 'ff', { stat: 'UNDELIV' }),
  ];
  expect(await Promise.all(answers)).toEqual([0, 0]);
  await recorder.drain();
  await matchUnmatchedReceipts(bench.db);
  expect((await bench.messages(order)).map(one => one.status)).toEqual([111, 112]);
});

test('a receipt repeated 1,500 times is acknowledged each time, in bounded space', async () => {
  const answers = Array.from({ length: 1_500 }, () => carrier.receipt(phone(), 'AA'));
  expect(new Set(await Promise.all(answers))).toEqual(new Set([0]));
});

test('while nothing can be stored a bounded number of receipts is read, none is acknowledged, and later all are', async () => {
  const count = backlogMax + 2_000;
  const session = await bench.db.connect();
  await session.query('begin');
  await session.query('lock table receipt_inbox in access exclusive mode');
  let acknowledged = 0;
  for (let i = 0; i < count; i++)
    carrier.receipt(phone(), i.toString(16)).then(
      () => acknowledged++,
      () => {},
    );
  const [link] = router.links;
  try {
    await wait('the backlog to be full', () => inbox.waiting >= backlogMax);
    // Peer and link share this thread: everything readable is read within these turns.
    for (let turns = 0; turns < 1_000; turns++) await new Promise(setImmediate);
    expect(link!.counts.receipts).toBeLessThanOrEqual(backlogMax + 100);
    expect(acknowledged).toBe(0);
  } finally {
    await session.query('rollback');
    session.release();
  }
  await wait('all to be acknowledged', () => acknowledged === count);
  await recorder.drain();
  expect(await unmatched()).toHaveLength(count);
});

test('while nothing can be settled receipts are acknowledged until too many wait, then no more are read', async () => {
  const session = await bench.db.connect();
  await session.query('begin');
  await session.query('lock table receipts in access exclusive mode');
  const [link] = router.links;
  let acknowledged = 0;
  const report = (id: string) => carrier.receipt(phone(), id).then(() => acknowledged++);
  try {
    for (let i = 0; i < 20; i++) await report(i.toString(16));
    expect(recorder.unsettled).toBe(20);
    recorder.unsettled += unsettledMax;
    void report('aaa');
    await wait('the last that is read', () => acknowledged === 21);
    void report('bbb');
    for (let turns = 0; turns < 1_000; turns++) await new Promise(setImmediate);
    expect(link!.counts.receipts).toBe(21);
  } finally {
    await session.query('rollback');
    session.release();
  }
  recorder.unsettled -= unsettledMax;
  reports.stored();
  await wait('the one that waited', () => acknowledged === 22);
  expect(await unmatched()).toHaveLength(22);
});
