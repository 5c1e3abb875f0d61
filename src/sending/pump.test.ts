// The pump's submits and its handling of each answer, seen by the carrier and in the tables.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ScriptedCarrier, Submit } from '../../test/support/carriers/scripted-carrier.ts';
import { wait } from '../../test/support/run/wait.ts';
import { ChunkProgress } from '../queue/chunk-progress.ts';
import { releaseLeases } from '../queue/dispatcher-lease.ts';
import type { DispatchBench } from './dispatch-fixture.ts';
import { lease, type PumpBench, type PumpScene, pumpScene } from './pump-fixture.ts';

let scene: PumpScene;
let bench: DispatchBench;
let carrier: ScriptedCarrier;
let owner: number;
let account: number;
let parts: PumpBench;

beforeEach(async () => {
  scene = await pumpScene(10);
  ({ bench, carrier, owner, account, parts } = scene);
});
afterEach(() => scene.close());

const numbers = (count: number, from = 5_550_000_000) => Array.from({ length: count }, (_, i) => from + i);
const reached = (submits: Submit[]) => submits.map(one => Number(one.number.slice(2)));

/** Accepts an order, leases it and passes it to the pump. */
async function write(text: string, to: number[]): Promise<number> {
  const order = await bench.accept(account, text, to);
  for (const run of await lease(bench, owner, account)) parts.pump.add(run);
  return order;
}

async function chunks(order: number): Promise<(number[] | null)[]> {
  await parts.recorder.drain();
  return (await bench.chunks(order)).map(one => one.ids);
}

test('the pump fills the window and no more; each answer makes room for the next message', async () => {
  await write('Pencere', numbers(12));
  await wait('a window full', () => carrier.submits.length === 10);
  carrier.answer(carrier.submits[0]!, 'p-1');
  await wait('one more', () => carrier.submits.length === 11);
  carrier.answer(carrier.submits[1]!, 'p-2');
  await wait('the last', () => carrier.submits.length === 12);
  expect(reached(carrier.submits)).toEqual(numbers(12));
});

test('nothing is written while the lease is uncertain, and everything once it is confirmed', async () => {
  parts.lease.ours = false;
  await write('Bekle', numbers(3));
  for (let turns = 0; turns < 100; turns++) await new Promise(setImmediate);
  expect(carrier.submits).toEqual([]);
  parts.lease.ours = true;
  parts.pump.wake();
  await wait('all of it', () => carrier.submits.length === 3);
});

test('what a pause kept from the socket until the lease was over is not written, and waits again without a doubt', async () => {
  const order = await write('Donmus', numbers(5));
  // The pump has written to the link, whose octets go to the socket in the next turn of the event loop.
  while (parts.pump.written === 0) await new Promise(setImmediate);
  parts.lease.ours = false;
  await wait('them to wait again', async () => (await chunks(order)).flatMap(ids => ids ?? []).length === 5);
  expect(carrier.submits).toEqual([]);
  expect(await bench.unsure(order)).toEqual([]);
});

test('when every message has its answer the chunk is gone, and the ids are stored', async () => {
  carrier.onSubmit = submit => carrier.answer(submit, `id-${submit.number}`);
  const order = await write('Hepsi', numbers(30));
  await wait('the chunk to go', async () => (await chunks(order)).length === 0);
  const stored = 'select 1 from submits s join messages m on m.id = s.message_id where account_id = $1';
  const { rowCount } = await bench.db.query(stored, [account]);
  expect(rowCount).toBe(30);
});

test('only the throttled message is written again', async () => {
  const [throttled] = numbers(1, 5_550_000_003);
  carrier.onSubmit = submit => {
    const first = carrier.submitsTo(String(throttled)).length === 1;
    carrier.answer(submit, `id-${submit.number}`, submit.number === `90${throttled}` && first ? 0x58 : 0);
  };
  const order = await write('Yavas', numbers(8));
  await wait('the chunk to go', async () => (await chunks(order)).length === 0);
  expect(reached(carrier.submits).sort()).toEqual([...numbers(8), throttled].sort());
});

test('a permanent refusal ends a message as 112 with the reason, a temporary one makes it a chunk of its own', async () => {
  const [bad, busy] = [5_550_000_001, 5_550_000_002];
  const statuses = new Map([
    [`90${bad}`, 0x0b],
    [`90${busy}`, 0x14],
  ]);
  carrier.onSubmit = submit => carrier.answer(submit, `id-${submit.number}`, statuses.get(submit.number) ?? 0);
  const order = await write('Karisik', numbers(4));
  await wait('the chunk to be done', async () => (await chunks(order)).every(ids => ids !== null));
  const messages = await bench.messages(order);
  expect(messages.find(one => one.number === 900_000_000_000 + bad)).toMatchObject({ status: 112, reason: 12 });
  const later = messages.find(one => one.number === 900_000_000_000 + busy)!;
  expect(await chunks(order)).toEqual([[later.id]]);
});

test('submits of a lost connection are unsure, the rest is written over the next connection', async () => {
  const order = await write('Kopar', numbers(25));
  await wait('a window full', () => carrier.submits.length === 10);
  carrier.onSubmit = submit => carrier.answer(submit, `id-${submit.number}`);
  carrier.drop();
  await wait('the chunk to be done', async () => (await chunks(order)).length === 0);
  const unsure = (await bench.messages(order)).slice(0, 10).map(one => one.id);
  expect(await bench.unsure(order)).toEqual(unsure);
  expect(reached(carrier.submits)).toEqual(numbers(25));
});

test('a message that cannot be encoded is set aside alone, the others are sent', async () => {
  carrier.onSubmit = submit => carrier.answer(submit, `id-${submit.number}`);
  const order = await bench.accept(account, 'Bozuk', numbers(5));
  const [bad] = await lease(bench, owner, account, { textNos: [1, 1, 1, 77, 1] });
  parts.pump.add(bad!);
  await wait('its chunk to be done', async () => parts.pump.runs.length === 0);
  await parts.recorder.drain();
  expect(reached(carrier.submits)).toEqual(numbers(5).toSpliced(3, 1));
  const third = (await bench.messages(order))[3]!.id;
  expect(await bench.chunks(order)).toMatchObject([{ ids: [third], lost: 100, leased: false }]);
});

test('what a dispatcher marked and never wrote waits again when it dies; only what was written is in doubt', async () => {
  carrier.onSubmit = submit => carrier.submits.length <= 3 && carrier.answer(submit, `id-${submit.number}`);
  const order = await write('Yarim', numbers(80));
  await wait('a window full behind the answers', () => carrier.submits.length === 13);
  await write('Sirada', numbers(5, 5_559_000_000));
  await parts.recorder.drain();
  expect((await bench.chunks(order)).map(one => one.mark)).toEqual([80]);
  await releaseLeases(bench.db, owner, 3_600_000, parts.progress.of(owner));
  const ids = (await bench.messages(order)).map(one => one.id);
  expect(await bench.unsure(order)).toEqual(ids.slice(3, 13));
  expect(await bench.chunks(order)).toMatchObject([{ count: 67, mark: 0, leased: false }]);
});

test('a message that waits for its carrier in a chunk of its own is in no other one when the dispatcher dies', async () => {
  await bench.db.query("update carriers set prefixes = '{905550}', changed_at = clock_timestamp()");
  await parts.router.reload();
  await wait('the bind', () => parts.router.anyBound() && parts.router.linkFor(905_559_000_000, true) === 'none');
  const order = await bench.accept(account, 'Bekler', numbers(8, 5_559_000_000));
  const [run] = await lease(bench, owner, account, { claimedMark: 3 });
  parts.pump.add(run!);
  await wait('three to be put off', () => run!.position === 3);
  await parts.recorder.drain();
  await releaseLeases(bench.db, owner, 3_600_000, parts.progress.of(owner));
  const ids = (await bench.messages(order)).map(one => one.id);
  expect((await bench.chunks(order)).map(one => one.ids)).toEqual([ids.slice(3), ids.slice(0, 3)]);
  expect(await bench.unsure(order)).toEqual([]);
});

test('a process reads how far its predecessor wrote, and of nobody else', async () => {
  const order = await write('Bir', numbers(12));
  await wait('a window full', () => carrier.submits.length === 10);
  const [chunk] = await bench.chunks(order);
  expect(parts.progress.of(owner)).toMatchObject([{ chunkId: chunk!.id, mark: 10 }]);
  expect(parts.progress.of(owner + 1)).toBe(null);
  expect(new ChunkProgress(null).of(owner)).toBe(null);
  parts.progress.begin(owner + 1);
  expect(parts.progress.of(owner)).toBe(null);
  expect(parts.progress.of(owner + 1)).toEqual([]);
});
