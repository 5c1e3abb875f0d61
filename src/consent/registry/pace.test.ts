import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createAllowance, createPacer } from './pace.ts';

test('whenever calls come, no second sees more departures than the rate', async () => {
  const gaps = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(gaps, fc.integer({ min: 1, max: 20 }), async (pauses, rate) => {
      let time = 0;
      const left: number[] = [];
      const pacer = createPacer(rate, Number.POSITIVE_INFINITY, {
        nowMs: () => time,
        monotonicMs: () => time,
        // Time stands still while one call waits, as if all calls came at once.
        sleep: async ms => void left.push(time + ms),
      });
      for (const pause of pauses) {
        time += pause;
        const before = left.length;
        expect(await pacer.turn()).toBe(0);
        if (left.length === before) left.push(time);
      }
      left.sort((a, b) => a - b);
      for (const [i, at] of left.entries()) {
        const following = left[i + rate];
        if (following !== undefined) expect(following - at).toBeGreaterThanOrEqual(1000);
      }
    }),
  );
});

test('an allowance gives out its number in a period and says when the next is free', () => {
  let time = 0;
  const clock = { nowMs: () => time, monotonicMs: () => time, sleep: async () => {} };
  const allowance = createAllowance(2, 1_000, clock);
  expect(allowance.use()).toBe(0);
  time = 400;
  expect(allowance.use()).toBe(0);
  expect(allowance.use()).toBe(600);
  time = 1_000;
  expect(allowance.use()).toBe(0);
  expect(allowance.use()).toBe(400);
});
