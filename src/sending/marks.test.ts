// How many unsent messages a crash puts in doubt: those between the mark and the last written message.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ScriptedCarrier } from '../../test/support/carriers/scripted-carrier.ts';
import { wait } from '../../test/support/run/wait.ts';
import { type DispatchBench, dispatchBench } from './dispatch-fixture.ts';

let bench: DispatchBench;
let carrier: ScriptedCarrier;

beforeAll(async () => {
  bench = await dispatchBench();
  carrier = await bench.scripted('slow', { window: '100' });
  await bench.dispatcher();
});
afterAll(async () => {
  carrier.onSubmit = submit => carrier.answer(submit, `id-${carrier.submits.indexOf(submit)}`);
  carrier.drop();
  await bench.close();
});

test('with slow answers the mark is a few messages ahead of writing', async () => {
  const count = 500;
  const order = await bench.accept(
    await bench.account(),
    'Yavaş',
    Array.from({ length: count }, (_, i) => 5_550_000_000 + i),
  );
  // Five submits of the window are reserved for small orders.
  await wait('a full window', () => carrier.submits.length === 95);
  // A few answers at a time: each lets one more submit into the window.
  for (let answered = 0; answered < 95; answered += 5) {
    for (let i = answered; i < answered + 5; i++) carrier.answer(carrier.submits[i]!, `id-${i}`);
    await wait('as many submits', () => carrier.submits.length === 100 + answered);
  }
  const [chunk] = await bench.chunks(order);
  expect(chunk!.mark).toBeGreaterThanOrEqual(190);
  expect(chunk!.mark - 190).toBeLessThanOrEqual(100);
});

test('the second chunk of an account has no mark before the first is written; another account does not wait', async () => {
  const own = await dispatchBench();
  const steady = await own.scripted('steady', { rate: '100' });
  steady.onSubmit = submit => steady.answer(submit, `id-${steady.submits.length}`);
  await own.dispatcher();
  const numbers = Array.from({ length: 800 }, (_, i) => 5_551_000_000 + i);
  const orders = [await own.account(), await own.account()].map((id, i) => own.accept(id, `Liste ${i}`, numbers));
  const marked = async (order: number) => (await own.chunks(order)).map(one => one.mark > 0);
  await wait('both to be under way', async () => {
    const first = await Promise.all(orders.map(async order => (await marked(await order))[0]));
    return steady.submits.length > 100 && first.every(Boolean);
  });
  for (const order of orders) expect(await marked(await order)).toEqual([true, false]);
  await own.close();
});
