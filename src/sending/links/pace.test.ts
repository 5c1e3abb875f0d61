// How fast a link submits: at the carrier's rate, and slower while the carrier throttles. Only the clock is faked.
import { beforeEach, expect, test } from 'vitest';
import { Pace } from './pace.ts';

let nowMs = 0;
const clock = () => nowMs;

beforeEach(() => {
  nowMs = 0;
});

/** Submits as much as allowed, every 10 ms for `ms`; returns how many. */
function drive(pace: Pace, ms: number): number {
  let submitted = 0;
  for (let at = 0; at < ms; at += 10) {
    const count = pace.available(1_000);
    pace.take(count);
    submitted += count;
    nowMs += 10;
  }
  return submitted;
}

test('without a rate only the window limits submits', () => {
  const pace = new Pace(null, clock);
  expect(pace.available(100)).toBe(100);
  expect(pace.limit).toBe(Number.POSITIVE_INFINITY);
});

test('a rate is kept over seconds, with at most a tenth of a second at once', () => {
  const pace = new Pace(500, clock);
  nowMs += 10_000;
  expect(pace.available(1_000)).toBe(50);
  const submitted = drive(pace, 4_000);
  expect(submitted).toBeGreaterThanOrEqual(1_990);
  expect(submitted).toBeLessThanOrEqual(2_050);
});

test('a window full of "throttled" answers halves the pace once, and it grows back step by step', () => {
  const pace = new Pace(null, clock);
  pace.take(400);
  nowMs += 900;
  for (let i = 0; i < 100; i++) pace.throttled();
  expect(pace.limit).toBe(200);
  drive(pace, 600);
  expect(pace.limit).toBeCloseTo(300);
  drive(pace, 20_000);
  expect(pace.limit).toBe(Number.POSITIVE_INFINITY);
});

test('a carrier that always throttles still gets five submits a second', () => {
  const pace = new Pace(1_000, clock);
  for (let i = 0; i < 50; i++) {
    pace.throttled();
    nowMs += 500;
  }
  expect(pace.limit).toBe(5);
  expect(drive(pace, 400)).toBeGreaterThan(0);
});

test('a pace that has recovered never exceeds the rate', () => {
  const pace = new Pace(100, clock);
  pace.throttled();
  drive(pace, 30_000);
  expect(pace.limit).toBe(100);
});
