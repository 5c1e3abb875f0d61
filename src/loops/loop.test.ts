import { expect, test } from 'vitest';
import { silentLog } from '../log.ts';
import { stalledLoops, startLoop } from './loop.ts';

const longMs = 3_600_000;

test('a round that returns 0 is followed by the next at once, until it is stopped', async () => {
  let rounds = 0;
  const loop = startLoop('busy', silentLog, async () => {
    rounds++;
    return 0;
  });
  await expect.poll(() => rounds).toBeGreaterThan(100);
  await loop.stop();
  const after = rounds;
  await new Promise(setImmediate);
  expect(rounds).toBe(after);
});

test('a sleeping loop is woken, also by a wake that comes in the middle of a round', async () => {
  let rounds = 0;
  let finishRound: () => void = () => {};
  const loop = startLoop('sleepy', silentLog, async () => {
    rounds++;
    await new Promise<void>(resolve => {
      finishRound = resolve;
    });
    return longMs;
  });
  loop.wake();
  finishRound();
  await expect.poll(() => rounds).toBe(2);
  finishRound();
  await new Promise(setImmediate);
  loop.wake();
  await expect.poll(() => rounds).toBe(3);
  finishRound();
  await loop.stop();
});

test('stop waits for the round that is under way and cuts the sleep short', async () => {
  let finished = false;
  let finishRound: () => void = () => {};
  const loop = startLoop('patient', silentLog, async () => {
    await new Promise<void>(resolve => {
      finishRound = resolve;
    });
    finished = true;
    return longMs;
  });
  const stopped = loop.stop();
  expect(finished).toBe(false);
  finishRound();
  await stopped;
  expect(finished).toBe(true);
});

test('a round that fails is logged and tried again', async () => {
  const warnings: object[] = [];
  let rounds = 0;
  const log = { ...silentLog, warn: (fields: object) => void warnings.push(fields) };
  const loop = startLoop('shaky', log, async () => {
    if (++rounds < 3) throw new Error('no luck');
    return longMs;
  });
  await expect.poll(() => rounds).toBe(3);
  await loop.stop();
  expect(warnings).toMatchObject([
    { loop: 'shaky', error: 'no luck', failures: 1 },
    { loop: 'shaky', error: 'no luck', failures: 2 },
  ]);
});

test('a loop whose rounds fail pauses longer each time, however often it is woken, and a stop ends the pause', async () => {
  const warnings: object[] = [];
  const log = { ...silentLog, warn: (fields: object) => void warnings.push(fields) };
  const loop = startLoop('hurried', log, async () => {
    loop?.wake();
    throw new Error('no luck');
  });
  // Each round wakes the loop; without its own pause it would fail in a tight loop.
  let turns = 0;
  await expect.poll(() => ++turns && loop.wake() === undefined && warnings.length, { interval: 1 }).toBeGreaterThan(2);
  expect(turns).toBeGreaterThan(warnings.length * 10);
  await loop.stop();
});

test('a loop that stands still is named, one that only sleeps is not', async () => {
  let release: () => void = () => {};
  const stuck = startLoop('stuck', silentLog, () => new Promise(resolve => (release = () => resolve(longMs))), {
    silenceMaxMs: 30,
  });
  const calm = startLoop('calm', silentLog, async () => longMs, { silenceMaxMs: 5_000 });
  await expect.poll(() => stalledLoops()).toContain('stuck');
  expect(stalledLoops()).not.toContain('calm');
  const stopped = stuck.stop();
  release();
  await stopped;
  await calm.stop();
  expect(stalledLoops()).toEqual([]);
});
