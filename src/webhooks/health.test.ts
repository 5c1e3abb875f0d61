import { expect, test } from 'vitest';
import { afterFailure, afterSuccess, freshHealth, type Health, isProbing } from './health.ts';

function failTimes(count: number, timeMs: number, from: Health = freshHealth): Health {
  let health = from;
  for (let i = 0; i < count; i++) health = afterFailure(health, 'status', timeMs);
  return health;
}

test('19 failures in a row leave an endpoint failing but served, the 20th leaves it single probes', () => {
  expect(failTimes(19, 0)).toMatchObject({ state: 'failing', failures: 19, nextProbeMs: null });
  expect(failTimes(20, 0)).toMatchObject({ state: 'failing', failingSinceMs: 0, nextProbeMs: 5_000 });
});

test('posts already under way when probing began do not move the next probe', () => {
  expect(failTimes(36, 0)).toMatchObject({ nextProbeMs: 5_000, probes: 1 });
});

test('an endpoint that has failed for a minute is paused, with the last reason', () => {
  let health = failTimes(20, 0);
  while (health.nextProbeMs! < 60_000) health = afterFailure(health, 'timeout', health.nextProbeMs!);
  expect(health.state).toBe('failing');
  health = afterFailure(health, 'timeout', health.nextProbeMs!);
  expect(health).toMatchObject({ state: 'paused', reason: 'timeout' });
  expect(isProbing(health)).toBe(true);
});

test('one success makes an endpoint healthy', () => {
  expect(afterSuccess(7)).toEqual({ ...freshHealth, lastSuccessMs: 7 });
});
