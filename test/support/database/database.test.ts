import { afterAll, expect, test } from 'vitest';
import { openClient } from '../../../src/db/db.ts';
import { migrationFiles } from '../../../src/db/migration-files.ts';
import { testDatabase } from './database.ts';

const first = await testDatabase();
const second = await testDatabase();
afterAll(async () => {
  await first.close();
  await second.close();
});

test('a test database has every migration applied', async () => {
  const { rows } = await first.pool.query('select name from schema_migrations order by name');
  expect(rows.map(row => row.name)).toEqual(migrationFiles().map(file => file.name));
});

test('what one test file writes, another does not see', async () => {
  await first.pool.query('create table only_here (id int)');
  const { rows } = await second.pool.query("select to_regclass('only_here') as found");
  expect(rows).toEqual([{ found: null }]);
});

test('the url leads to the same database as the pool', async () => {
  const client = await openClient({ connectionString: first.url }, { name: 'peyk test', onError: () => {} });
  try {
    expect((await client.query('select current_database() as name')).rows[0].name).toBe(first.connection.database);
  } finally {
    await client.end();
  }
});

test('a closed test database is gone', async () => {
  const third = await testDatabase();
  await third.close();
  const { rows } = await first.pool.query('select 1 from pg_database where datname = $1', [third.connection.database]);
  expect(rows).toEqual([]);
});
