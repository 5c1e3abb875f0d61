// Two cells as two schemas of one database: locks and notifications, which belong to the database, must differ by schema.
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database/database.ts';
import { ownLocks } from '../../test/support/database/own-locks.ts';
import { wait } from '../../test/support/run/wait.ts';
import { silentLog } from '../log.ts';
import { SlotLocks } from '../sending/links/slot-locks.ts';
import { type Db, openPool } from './db.ts';
import { listen } from './listen.ts';
import { migrate, requireSchema } from './migrate.ts';

const database = await testDatabase({ empty: true });
const [one, two] = ['cell_one', 'cell_two'].map(schema => ({ connectionString: `${database.url}&schema=${schema}` }));
const pools: Db[] = [one!, two!].map(at => openPool(at, { max: 3, name: 'peyk test', onError: () => {} }));
beforeAll(() => Promise.all([migrate(one!, silentLog), migrate(two!, silentLog)]));
afterAll(async () => {
  await Promise.all(pools.map(pool => pool.end()));
  await database.close();
});

test('both schemas are created at the same time, and nothing in public', async () => {
  await requireSchema(one!);
  await requireSchema(two!);
  const { rows } = await database.pool.query(
    `select n.nspname as schema, count(*)::int from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'S', 'v') and n.nspname in ('public', 'cell_one', 'cell_two') group by 1 order by 1`,
  );
  expect(rows).toEqual([
    { schema: 'cell_one', count: rows[0].count },
    { schema: 'cell_two', count: rows[0].count },
  ]);
  expect(rows[0].count).toBeGreaterThan(50);
});

test('neither cell waits for a lock of the other, or ends its sessions', async () => {
  const slots = [one!, two!].map(at => new SlotLocks(at, silentLog));
  let lost = 0;
  for (const each of slots) {
    each.identify(1);
    expect(await each.take(1, 1, () => lost++)).toBe(true);
  }
  const twin = new SlotLocks(one!, silentLog);
  expect(await twin.take(1, 1, () => {})).toBe(false);
  const sessions = async () =>
    (await database.pool.query(`select count(*)::int from ${ownLocks} where objsubid = 2`)).rows;
  expect(await sessions()).toEqual([{ count: 4 }]);
  const locks = `select pg_try_advisory_xact_lock(7030002 # lock_salt()) as ours`;
  const holder = await pools[0]!.connect();
  await holder.query('begin');
  expect((await holder.query(locks)).rows).toEqual([{ ours: true }]);
  expect((await pools[0]!.query(locks)).rows).toEqual([{ ours: false }]);
  await holder.query('rollback');
  holder.release();
  expect(lost).toBe(0);
  await Promise.all([...slots, twin].map(each => each.stop()));
});

test('a notification arrives in its schema only', async () => {
  const heard: string[][] = [[], []];
  let listening = 0;
  const listeners = [one!, two!].map((at, i) =>
    listen(
      at,
      'peyk_webhooks',
      silentLog,
      text => heard[i]!.push(text),
      () => listening++,
    ),
  );
  await wait('both to listen', () => listening === 2);
  await pools[0]!.query(`select pg_notify(channel('peyk_webhooks'), 'one')`);
  await pools[1]!.query(`select pg_notify(channel('peyk_webhooks'), 'two')`);
  await wait('each to hear', () => heard.every(each => each.length > 0));
  expect(heard).toEqual([['one'], ['two']]);
  await Promise.all(listeners.map(each => each.stop()));
});

test('every lock and every notification of the program depends on the schema', () => {
  const source = new URL('../', import.meta.url).pathname;
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    path => /\.(ts|sql)$/.test(path) && !path.endsWith('.test.ts'),
  );
  const lines = files.flatMap(path =>
    readFileSync(source + path, 'utf8')
      .split('\n')
      .map(line => `${path}: ${line.trim()}`),
  );
  const calls = lines.filter(line => /pg_(try_)?advisory_\w+\(|pg_notify\(/.test(line));
  expect(calls.length).toBeGreaterThan(20);
  const apart = /lock_salt\(\)|v_salt|v_lock|\bchannel\(|current_schema\(\)|\[schema\]/;
  expect(calls.filter(line => !apart.test(line))).toEqual([]);
  expect(lines.filter(line => /'public'::reg|\bpublic\.\w/.test(line))).toEqual([]);
});
