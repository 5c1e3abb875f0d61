import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wallClock } from '../../test/support/customers/samples.ts';
import { fromTurkeyTime, monotonicMs, now, nowMs, setClock, toTurkeyTime } from './clock.ts';

// Turkey has had UTC+3 all year since September 2016.
const times = fc.date({ min: new Date('2016-10-01'), max: new Date('2099-12-31'), noInvalidDate: true });

test('Turkey time is what the time zone table says', () => {
  fc.assert(fc.property(times, time => void expect(toTurkeyTime(time)).toBe(wallClock(time.getTime()))));
});

test('a Turkish wall clock leads back to the same second', () => {
  fc.assert(
    fc.property(times, time => {
      const [year, month, day, hour, minute, second] = toTurkeyTime(time).split(/[- :]/).map(Number);
      const back = fromTurkeyTime(year!, month!, day!, hour!, minute!, second!)!;
      expect(back.getTime()).toBe(Math.floor(time.getTime() / 1_000) * 1_000);
    }),
  );
});

test('a date that does not exist is none', () => {
  for (const [year, month, day, hour = 0, minute = 0, second = 0] of [
    [2026, 2, 29],
    [2026, 4, 31],
    [2026, 13, 1],
    [2026, 0, 1],
    [2026, 1, 0],
    [26, 1, 1],
    [2026, 1, 1, 24],
    [2026, 1, 1, 0, 60],
    [2026, 1, 1, 0, 0, 60],
  ] as number[][])
    expect(fromTurkeyTime(year!, month!, day!, hour, minute, second)).toBeNull();
  expect(fromTurkeyTime(2028, 2, 29, 23, 59, 59)?.toISOString()).toBe('2028-02-29T20:59:59.000Z');
});

test('a test’s clock holds until it is taken away', () => {
  const restore = setClock(() => 5_000);
  expect([now().getTime(), nowMs()]).toEqual([5_000, 5_000]);
  restore();
  expect(Math.abs(nowMs() - Date.now())).toBeLessThan(60_000);
});

test('the monotonic clock never goes back', () => {
  const first = monotonicMs();
  expect(monotonicMs()).toBeGreaterThanOrEqual(first);
});
