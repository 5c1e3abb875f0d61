import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database/database.ts';
import { silentLog } from '../log.ts';
import { listen } from './listen.ts';

const database = await testDatabase();
const db = database.pool;
afterAll(() => database.close());

const listeners = async (channel: string): Promise<number[]> =>
  (
    await db.query(
      "select pid from pg_stat_activity where datname = current_database() and application_name like $1 || ' %'",
      [`peyk listen ${channel}`],
    )
  ).rows.map(row => row.pid);

test('notifications arrive in order, and none after stop', async () => {
  const heard: string[] = [];
  let connected = 0;
  const listener = listen(
    database.connection,
    'first',
    silentLog,
    one => heard.push(one),
    () => connected++,
  );
  await expect.poll(() => connected).toBe(1);
  for (const word of ['bir', 'iki', 'üç']) await db.query("select pg_notify('first', $1)", [word]);
  await expect.poll(() => heard).toEqual(['bir', 'iki', 'üç']);
  await listener.stop();
  expect(await listeners('first')).toEqual([]);
});

test('a lost connection is opened again, and onReconnect lets the listener catch up', async () => {
  const heard: string[] = [];
  let connected = 0;
  const listener = listen(
    database.connection,
    'second',
    silentLog,
    one => heard.push(one),
    () => connected++,
  );
  for (let round = 1; round <= 3; round++) {
    await expect.poll(() => connected).toBe(round);
    const [pid] = await listeners('second');
    if (round < 3) await db.query('select pg_terminate_backend($1)', [pid]);
  }
  await db.query("select pg_notify('second', 'yine')");
  await expect.poll(() => heard).toEqual(['yine']);
  expect(await listeners('second')).toHaveLength(1);
  await listener.stop();
});

test('the listener retries an unavailable database until it is stopped', async () => {
  const warnings: object[] = [];
  const log = { ...silentLog, warn: (fields: object) => void warnings.push(fields) };
  const nowhere = { ...database.connection, database: 'does_not_exist' };
  const listener = listen(
    nowhere,
    'third',
    log,
    () => {},
    () => {},
  );
  await expect.poll(() => warnings.length).toBeGreaterThan(1);
  await listener.stop();
  const after = warnings.length;
  await new Promise(setImmediate);
  expect(warnings).toHaveLength(after);
});

test('a listener that is stopped before it is connected leaves no connection behind', async () => {
  let connected = 0;
  await listen(
    database.connection,
    'fourth',
    silentLog,
    () => {},
    () => connected++,
  ).stop();
  await expect.poll(() => listeners('fourth')).toEqual([]);
  expect(connected).toBe(0);
});
