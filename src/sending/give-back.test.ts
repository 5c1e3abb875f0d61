// Chunks given back early: messages that were written are not sent again, and the rest can be claimed.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ScriptedCarrier } from '../../test/support/carriers/scripted-carrier.ts';
import { wait } from '../../test/support/run/wait.ts';
import type { DispatchBench } from './dispatch-fixture.ts';
import { giveBack } from './give-back.ts';
import { lease, type PumpBench, type PumpScene, pumpScene } from './pump-fixture.ts';

let scene: PumpScene;
let bench: DispatchBench;
let carrier: ScriptedCarrier;
let owner: number;
let account: number;
let parts: PumpBench;

beforeEach(async () => {
  scene = await pumpScene(4);
  ({ bench, carrier, owner, account, parts } = scene);
});
afterEach(() => scene.close());

const numbers = (count: number) => Array.from({ length: count }, (_, i) => 5_550_000_000 + i);
const give = () => giveBack(bench.db, parts.pump, parts.recorder, parts.pump.runs);

/** An order of 30 messages: a full window is in flight, and the pump begins no more. */
async function underWay(): Promise<number> {
  const order = await bench.accept(account, 'Geri', numbers(30));
  for (const run of await lease(bench, owner, account)) parts.pump.add(run);
  await wait('a window full', () => carrier.submits.length === 4);
  parts.pump.leave();
  return order;
}

test('a chunk with a submit in flight is not given back; afterwards each unwritten message can be claimed once', async () => {
  const order = await underWay();
  expect(await give()).toEqual([]);
  expect(await bench.chunks(order)).toMatchObject([{ leased: true }]);
  for (const [i, submit] of carrier.submits.entries()) carrier.answer(submit, `id-${i}`);
  await wait('the answers', () => parts.pump.runs[0]!.flights === 0);
  expect(await give()).toHaveLength(1);
  const again = await lease(bench, owner, account);
  const expected = numbers(30).slice(4);
  expect(again.flatMap(run => run.facts.numbers).sort()).toEqual(expected.map(one => 900_000_000_000 + one));
});

test('a throttled message is given back for a retry, not as unsure', async () => {
  const order = await underWay();
  for (const [i, submit] of carrier.submits.entries()) carrier.answer(submit, `id-${i}`, i === 2 ? 0x58 : 0);
  await wait('the answers', () => parts.pump.runs[0]!.flights === 0);
  await give();
  const throttled = (await bench.messages(order))[2]!.id;
  const chunks = await bench.chunks(order);
  expect(chunks.map(one => one.ids !== null)).toEqual([false, true]);
  expect(chunks[1]!.ids).toContain(throttled);
});

test('the rest of a list is given back like the rest of a range', async () => {
  const order = await bench.accept(account, 'Liste', numbers(6));
  const ids = (await bench.messages(order)).map(one => one.id);
  await bench.db.query('update chunks set ids = $2 where first_message_id = $1', [ids[0], ids]);
  const [run] = await lease(bench, owner, account);
  parts.pump.add(run!);
  await wait('a window full', () => carrier.submits.length === 4);
  parts.pump.leave();
  for (const [i, submit] of carrier.submits.entries()) carrier.answer(submit, `id-${i}`);
  await wait('the answers', () => run!.flights === 0);
  await give();
  const given = await bench.chunks(order);
  expect(given.every(one => !one.leased)).toBe(true);
  expect(given.flatMap(one => one.ids).sort()).toEqual(ids.slice(4));
});
