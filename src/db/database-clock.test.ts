import { afterAll, afterEach, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database/database.ts';
import { wait } from '../../test/support/run/wait.ts';
import { silentLog } from '../log.ts';
import { followDatabase, hostMs, nowMs, setHostClock } from '../time/clock.ts';
import { clocksDiffer, followDatabaseClock, readDatabaseClock } from './database-clock.ts';

const database = await testDatabase();
const db = database.pool;
afterAll(() => database.close());

let restore = () => {};
afterEach(() => restore());

const hourMs = 3_600_000;
// The database runs on this machine, so its clock is right.
const errorMs = () => Math.abs(nowMs() - Date.now());

test.each([
  ['20 s ahead', 20_000],
  ['20 s behind', -20_000],
  ['4 h ahead', 4 * hourMs],
  ['4 h behind', -4 * hourMs],
])('a host whose clock is %s reads the database’s time and its own error', async (_name, skewMs) => {
  restore = setHostClock(() => Date.now() + skewMs);
  expect(errorMs()).toBeGreaterThan(10_000);
  const difference = await readDatabaseClock(db);
  expect(errorMs()).toBeLessThan(2_000);
  expect(Math.abs(difference.aheadMs - skewMs)).toBeLessThan(2_000);
  expect(clocksDiffer(difference)).toBe(true);
});

test('a host whose clock is set while the program runs continues with the database’s time', async () => {
  let skewMs = 0;
  restore = setHostClock(() => Date.now() + skewMs);
  const clock = await followDatabaseClock(db, silentLog);
  skewMs = -4 * hourMs;
  expect(errorMs()).toBeLessThan(2_000);
  expect(Math.abs(hostMs() - nowMs())).toBeGreaterThan(hourMs);
  await clock.stop();
});

test('a clock difference is logged once, and only if a slow answer does not explain it', async () => {
  const lines: object[] = [];
  let skewMs = 0;
  restore = setHostClock(() => Date.now() + skewMs);
  const clock = await followDatabaseClock(db, { ...silentLog, warn: (fields: object) => void lines.push(fields) });
  expect(lines).toEqual([]);
  skewMs = 10_000;
  clock.wake();
  await wait('the difference to be logged', () => lines.length > 0);
  clock.wake();
  await clock.stop();
  expect(lines).toHaveLength(1);
  expect(clocksDiffer({ aheadMs: 4_000, uncertainMs: 2_500 })).toBe(false);
  expect(clocksDiffer({ aheadMs: -4_000, uncertainMs: 100 })).toBe(true);
});

test('a slow answer does not replace the result of a quick one, and a clock that was set is followed', () => {
  restore = setHostClock(() => 0);
  const at = performance.now();
  const error = (trueMs: number) => Math.abs(nowMs() - (trueMs + performance.now() - at));
  followDatabase(1_000_000, at, at);
  followDatabase(1_009_000, at, at + 10_000);
  expect(error(1_000_000)).toBeLessThan(2);
  followDatabase(5_000_000, at, at + 100);
  expect(error(4_999_900)).toBeLessThan(2);
  followDatabase(2_000_000, at, at + 100);
  expect(error(2_000_000)).toBeLessThan(2);
});
