import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database/database.ts';
import { wait } from '../../test/support/run/wait.ts';
import { openClient } from './db.ts';
import { countOutgrown } from './statistics.ts';

const database = await testDatabase();
afterAll(() => database.close());
// Otherwise the server analyses the table itself after some seconds, on a slow machine before us.
await database.pool.query('alter table message_numbers set (autovacuum_enabled = off)');

const session = () => openClient(database.connection, { name: 'peyk test', onError: () => {} });
const addSql = 'insert into message_numbers select 1001, i, i from generate_series($1::bigint, $1 + $2 - 1) i';

async function add(from: number, count: number): Promise<void> {
  const client = await session();
  await client.query(addSql, [from, count]);
  // A session reports its writes when it ends, and the numbers appear a moment later.
  await client.end();
  const live = `select pg_stat_get_live_tuples('message_numbers'::regclass) as n`;
  await wait('the rows to be known', async () => (await database.pool.query(live)).rows[0].n === from + count - 1);
}

test('a table is analysed when it has four times the rows that the planner assumes, and not before', async () => {
  await add(1, 1_000);
  expect(await countOutgrown(database.pool)).toEqual([]);
  await add(1_001, 4_000);
  expect(await countOutgrown(database.pool)).toEqual(['message_numbers']);
  expect(await countOutgrown(database.pool)).toEqual([]);
  const known = await database.pool.query(`select reltuples from pg_class where relname = 'message_numbers'`);
  expect(known.rows).toEqual([{ reltuples: 5_000 }]);
});

test('a table that was analysed while rows were being copied in is analysed again once they are committed', async () => {
  await database.pool.query('truncate message_numbers');
  const client = await session();
  await client.query('begin');
  await client.query(addSql, [10_001, 5_000]);
  await database.pool.query('analyze message_numbers');
  expect(await countOutgrown(database.pool)).toEqual([]);
  await client.query('commit');
  await client.end();
  await wait('the table to be analysed', async () => (await countOutgrown(database.pool)).includes('message_numbers'));
});
