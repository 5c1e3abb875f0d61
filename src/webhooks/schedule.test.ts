import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../db/version.ts';
import { nextAttemptMs, probePauseMs, probePausesMs, retryPausesMs, retryWindowMs } from './schedule.ts';

test('the first retry comes after 10 s and the pauses fill exactly 24 hours', () => {
  expect(retryPausesMs[0]).toBe(10_000);
  expect(retryPausesMs.reduce((sum, one) => sum + one, 0)).toBe(retryWindowMs);
  expect(retryWindowMs).toBe(86_400_000);
});

test('an endpoint that always fails gets 17 attempts, the last one after 24 hours', () => {
  const times = [0];
  for (;;) {
    const next = nextAttemptMs(times.length, retryWindowMs, times.at(-1)!);
    if (next === null) break;
    times.push(next);
  }
  expect(times).toHaveLength(retryPausesMs.length + 1);
  expect(times.at(-1)).toBe(retryWindowMs);
});

test('an attempt that ran late is still followed by one at the end of the window', () => {
  expect(nextAttemptMs(12, retryWindowMs, retryWindowMs - 120_000)).toBe(retryWindowMs);
  expect(nextAttemptMs(12, retryWindowMs, retryWindowMs - 1_000)).toBeNull();
});

test('the pause between probes grows and then stays', () => {
  expect(probePauseMs(0)).toBe(probePausesMs[0]);
  expect(probePauseMs(1_000)).toBe(probePausesMs.at(-1));
});

test('the retry table of the documentation equals the schedule', () => {
  const text = readFileSync(join(projectRoot(), 'docs', 'webhooks.md'), 'utf8');
  const documented = [...text.matchAll(/^\| \d+ \| ([^|]+) \|/gm)].map(match => pauseOf(match[1]!));
  expect(documented).toEqual([0, ...retryPausesMs]);
});

function pauseOf(text: string): number {
  const units: Record<string, number> = { s: 1_000, min: 60_000, h: 3_600_000 };
  return [...text.matchAll(/(\d+) (s|min|h)\b/g)].reduce((sum, [, n, unit]) => sum + Number(n) * units[unit!]!, 0);
}
