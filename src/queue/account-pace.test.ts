// An account's pace: evenly, with a small burst, whatever piled up before.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AccountPace, AccountPaces } from './account-pace.ts';

/** When each of the messages leaves, if it is tried every 5 ms from `fromMs` on. */
function leave(pace: AccountPace, count: number, fromMs = 0, small = false): number[] {
  const times: number[] = [];
  for (let at = fromMs; times.length < count; at += 5)
    while (times.length < count && pace.allows(at, small)) {
      pace.take(at, small);
      times.push(at);
    }
  return times;
}

test('a burst leaves at once and the rest evenly', () => {
  const times = leave(new AccountPace(100), 111);
  expect(times.filter(at => at === 0)).toHaveLength(11);
  expect(times.at(-1)).toBe(1_000);
});

test('small orders borrow a second ahead, which large ones wait for', () => {
  const pace = new AccountPace(100);
  expect(leave(pace, 111, 0, true)).toEqual(Array.from({ length: 111 }, () => 0));
  // One at once, which is due to them in any case; then what was borrowed is waited for, but for a fifth.
  const large = leave(pace, 30);
  expect([large[0], large[1], large[9]]).toEqual([0, 50, 450]);
});

test('beside small orders at the rate of their account and beyond, large ones get a fifth', () => {
  const pace = new AccountPace(100);
  const left = { small: 0, large: 0 };
  for (let at = 0; at < 60_000; at += 5)
    for (const name of ['small', 'large'] as const)
      for (; pace.allows(at, name === 'small'); left[name]++) pace.take(at, name === 'small');
  expect(left.large).toBeGreaterThanOrEqual(1_190);
  expect(left.large + left.small).toBeLessThanOrEqual(6_000 + 130);
});

test('after a long rest there is no more than a burst at once', () => {
  const pace = new AccountPace(100);
  leave(pace, 50);
  expect(leave(pace, 100, 60_000).filter(at => at === 60_000)).toHaveLength(11);
});

test('in no second do more leave than the rate and the burst, for any rate and any pauses', () => {
  const rates = fc.integer({ min: 1, max: 2_000 });
  fc.assert(
    fc.property(rates, fc.array(fc.integer({ min: 0, max: 3_000 }), { maxLength: 5 }), (rate, pauses) => {
      const pace = new AccountPace(rate);
      let at = 0;
      const times = pauses.flatMap(pause => {
        const some = leave(pace, Math.min(rate, 300), at + pause);
        at = some.at(-1)!;
        return some;
      });
      const most = rate + Math.max(10, rate * 0.1) + 1;
      for (const [i, from] of times.entries()) {
        const end = times.findIndex(time => time >= from + 1_000);
        expect((end < 0 ? times.length : end) - i).toBeLessThanOrEqual(most);
      }
    }),
    { numRuns: 15 },
  );
});

test('all chunks of an account share one pace; a changed rate starts anew; no rate means none', () => {
  const paces = new AccountPaces();
  expect(paces.of(1, 100)).toBe(paces.of(1, 100));
  expect(paces.of(1, 200)).not.toBe(paces.of(2, 200));
  expect(paces.of(1, 200)?.rate).toBe(200);
  expect(paces.of(1, 0)).toBeNull();
});
