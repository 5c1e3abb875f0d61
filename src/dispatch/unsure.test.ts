// Submits without an answer: who is sent once more, who is believed, who is given up.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLog } from '../log.ts';
import type { ClaimedChunk } from '../orders/claim.ts';
import { RecordBatch, storeRecords } from '../orders/record.ts';
import { type DispatchBench, dispatchBench } from './dispatch-fixture.ts';
import { resolveUnsure, type UnsureRule } from './unsure.ts';

let bench: DispatchBench;
let account: number;
let texts = 0;

beforeAll(async () => {
  bench = await dispatchBench();
  account = await bench.account();
});
afterAll(() => bench.close());

const rule = (members: Partial<UnsureRule> = {}): UnsureRule => ({
  lane: 0,
  rule: () => 'lane',
  holdMs: 1_000,
  ...members,
});

/** An unsure chunk of an order to these numbers, written so long ago. */
async function unsure(numbers: number[], members: Partial<ClaimedChunk> = {}): Promise<ClaimedChunk> {
  const orderId = await bench.accept(account, `Belirsiz ${++texts}`, numbers);
  const ids = (await bench.messages(orderId)).map(one => one.id);
  const ageMs = members.ageMs ?? 1_500;
  const chunk = { chunkId: 1, accountId: account, orderId, kind: 2, attempt: 0, ids, ageMs };
  const found = (await bench.messages(orderId)).map(one => one.number);
  return { ...chunk, numbers: found, markedAt: new Date(Date.now() - ageMs), ...members } as ClaimedChunk;
}

async function resentOf(chunk: ClaimedChunk): Promise<number> {
  return (await bench.db.query('select resent from orders where id = $1', [chunk.orderId])).rows[0].resent as number;
}

const ends = async (chunk: ClaimedChunk) => (await bench.messages(chunk.orderId)).map(one => [one.status, one.reason]);

test('a fresh transactional message is sent once more, and counted', async () => {
  const chunk = await unsure([5_550_000_001, 5_550_000_002]);
  expect(await resolveUnsure(bench.db, chunk, rule(), silentLog)).toEqual(new Set(chunk.ids));
  expect(await resentOf(chunk)).toBe(2);
});

test.each([
  ['of a campaign', { lane: 1 } as const, {}],
  ['older than a minute', {}, { ageMs: 62_000 }],
  ['sent twice already', {}, { attempt: 1 }],
  ['of a carrier that forbids it', { rule: () => 'fail' } as const, {}],
])('a message %s is not sent again: its outcome is unknown, its credit back', async (_name, how, members) => {
  const chunk = await unsure([5_550_000_003], members);
  expect(await resolveUnsure(bench.db, chunk, rule(how), silentLog)).toEqual(new Set());
  expect(await ends(chunk)).toEqual([[112, 15]]);
  expect(await resentOf(chunk)).toBe(0);
});

test('a carrier may want every such message again, campaigns included', async () => {
  const chunk = await unsure([5_550_000_004], { ageMs: 3_600_000 });
  const resend = await resolveUnsure(bench.db, chunk, rule({ lane: 1, rule: () => 'resend' }), silentLog);
  expect(resend.size).toBe(1);
});

test('one that was answered after all, or has ended, is left alone', async () => {
  const chunk = await unsure([5_550_000_005, 5_550_000_006, 5_550_000_007]);
  const late = new RecordBatch();
  Object.assign(late.submitted, { carriers: [1], ids: ['late'], accounts: [account], messages: [chunk.ids![0]!] });
  Object.assign(late.submitted, { part: [1], parts: [1] });
  Object.assign(late.outcomes, { accounts: [account], messages: [chunk.ids![1]!], statuses: [112], reasons: [12] });
  await storeRecords(bench.db, 0, 0, late, { after: new Date(), slackMs: 0 });
  expect(await resolveUnsure(bench.db, chunk, rule(), silentLog)).toEqual(new Set([chunk.ids![2]]));
});

test('a receipt nobody asked for, from a number that only one of them has, is believed', async () => {
  const chunk = await unsure([5_550_000_011, 5_550_000_012, 5_550_000_013]);
  await bench.db.query(`insert into receipts (carrier_id, smsc_id, status, reason, number) values
    (1, 'orphan-1', 111, 0, 905550000011), (1, 'orphan-2', 112, 10, 905550000012),
    (1, 'twin-1', 111, 0, 905550000013), (1, 'twin-2', 111, 0, 905550000013)`);
  expect(await resolveUnsure(bench.db, chunk, rule({ lane: 1 }), silentLog)).toEqual(new Set());
  expect(await ends(chunk)).toEqual([
    [111, 0],
    [112, 10],
    [112, 15],
  ]);
  const { rows } = await bench.db.query(`select smsc_id from receipts where smsc_id like 'orphan%'`);
  expect(rows).toEqual([]);
});

test('deciding twice, after a commit whose answer was lost, changes nothing that was decided', async () => {
  const chunk = await unsure([5_550_000_021, 5_550_000_022]);
  await bench.db.query(
    `insert into receipts (carrier_id, smsc_id, status, reason, number) values (1, 'once', 111, 0, 905550000021)`,
  );
  const first = await resolveUnsure(bench.db, chunk, rule(), silentLog);
  expect(await resolveUnsure(bench.db, chunk, rule(), silentLog)).toEqual(first);
  expect(await ends(chunk)).toEqual([
    [111, 0],
    [110, 0],
  ]);
});

test('each number follows the rule of its own carrier', async () => {
  const chunk = await unsure([5_550_000_050, 5_550_000_051]);
  const [again, never] = chunk.ids!;
  const byNumber = (number: number) => (number === 905_550_000_051 ? 'fail' : 'lane');
  expect(await resolveUnsure(bench.db, chunk, rule({ rule: byNumber }), silentLog)).toEqual(new Set([again]));
  expect((await bench.messages(chunk.orderId)).find(one => one.id === never)).toMatchObject({
    status: 112,
    reason: 15,
  });
});
