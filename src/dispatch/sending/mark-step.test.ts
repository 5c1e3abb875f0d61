// How much a death can put in doubt that was never on the air: what lies between the mark and what is written.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ScriptedCarrier } from '../../../test/support/scripted-carrier.ts';
import { wait } from '../../../test/support/wait.ts';
import { type DispatchBench, dispatchBench } from '../dispatch-fixture.ts';
import { MarkStep } from './mark-step.ts';

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

test('the step doubles while writing waits for the mark, up to what the windows can take in', () => {
  const step = new MarkStep(0);
  const seen = [1, 2, 3, 4, 5].map(at => {
    step.moved(true, 200, at);
    return step.value(200, at);
  });
  expect(seen).toEqual([50, 100, 200, 200, 200]);
  step.moved(false, 200, 6);
  expect(step.value(200, 6)).toBe(200);
});

test('the step shrinks to a few messages while no move is needed', () => {
  const step = new MarkStep(0);
  for (let at = 1; at < 5; at++) step.moved(true, 200, at);
  expect([50, 150, 250, 350, 450, 550, 5_000].map(at => step.value(200, at))).toEqual([200, 100, 50, 25, 12, 6, 5]);
  step.moved(false, 200, 350);
  expect(step.value(200, 360)).toBe(25);
});

test('where answers are slow the mark is a few messages ahead of what is written, where they stop it is not ahead at all', async () => {
  const count = 500;
  const order = await bench.accept(
    await bench.account(),
    'Yavaş',
    Array.from({ length: count }, (_, i) => 5_550_000_000 + i),
  );
  // Five places of the window are kept free for small orders.
  await wait('a full window', () => carrier.submits.length === 95);
  // A few at a time: each answer frees one place of the window.
  for (let answered = 0; answered < 95; answered += 5) {
    for (let i = answered; i < answered + 5; i++) carrier.answer(carrier.submits[i]!, `id-${i}`);
    await wait('as many submits', () => carrier.submits.length === 100 + answered);
  }
  const [chunk] = await bench.chunks(order);
  expect(chunk!.mark).toBeGreaterThanOrEqual(190);
  expect(chunk!.mark - 190).toBeLessThanOrEqual(100);
  // Nothing is answered any more: what stands marked loses its mark, so that after a crash only what was written is unsure.
  await wait('the mark to come back', async () => (await bench.chunks(order))[0]!.mark === 190);
});
