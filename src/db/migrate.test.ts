import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database/database.ts';
import { silentLog } from '../log.ts';
import { functionFiles } from './functions.ts';
import { migrate } from './migrate.ts';
import { migrationFiles } from './migration-files.ts';
import { isNewer, programVersion, projectRoot } from './version.ts';

const database = await testDatabase();
afterAll(() => database.close());

async function emptied(): Promise<void> {
  await database.pool.query('drop schema public cascade');
  await database.pool.query('create schema public');
}

test('migrations are numbered, each number once', () => {
  const numbers = migrationFiles().map(file => file.name.slice(0, 4));
  expect(numbers.length).toBeGreaterThan(5);
  expect(new Set(numbers).size).toBe(numbers.length);
});

test('processes that start at once on an empty database apply each migration once', async () => {
  await emptied();
  const applied = await Promise.all(Array.from({ length: 4 }, () => migrate(database.connection, silentLog)));
  expect(applied.flat().sort()).toEqual(migrationFiles().map(file => file.name));
  expect(await migrate(database.connection, silentLog)).toEqual([]);
});

test('a migration that changed after it was applied is refused', async () => {
  await database.pool.query("update schema_migrations set checksum = 'x' where name like '0174%'");
  await expect(migrate(database.connection, silentLog)).rejects.toThrow('0174_baseline.sql was changed');
  await emptied();
  await migrate(database.connection, silentLog);
});

test('a failed migration is rolled back and named in the error', async () => {
  await emptied();
  // The later of two tables that one migration creates.
  await database.pool.query('create table part_receipts (x int)');
  await expect(migrate(database.connection, silentLog)).rejects.toThrow('0185_submits.sql failed');
  const { rows } = await database.pool.query(
    "select to_regclass('submits') as submits, to_regclass('number_queue') as before",
  );
  expect(rows).toEqual([{ submits: null, before: 'number_queue' }]);
  await database.pool.query('drop table part_receipts');
  const names = migrationFiles().map(file => file.name);
  expect(await migrate(database.connection, silentLog)).toEqual(names.slice(names.indexOf('0185_submits.sql')));
});

test('the project’s root is the folder of its package.json', () => {
  expect(existsSync(join(projectRoot(), 'migrations'))).toBe(true);
  expect(JSON.parse(readFileSync(join(projectRoot(), 'package.json'), 'utf8')).name).toBe('peyk');
});

test('every function of the database has a file of its name in the folder of its owner', async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    "select distinct proname as name from pg_proc where pronamespace = 'public'::regnamespace order by 1",
  );
  const files = functionFiles();
  expect(rows.map(row => row.name)).toEqual(files.map(file => file.name));
  for (const { name, text } of files)
    expect.soft(text, name).toMatch(new RegExp(`^create or replace (function|procedure) ${name}\\(`, 'm'));
});

test('a function that differs from its file is replaced at the next start, but not by an older program', async () => {
  const source = async () =>
    (await database.pool.query("select prosrc from pg_proc where proname = 'fold_turkish'")).rows[0].prosrc as string;
  const ours = await source();
  const theirs = async (version: string) => {
    await database.pool.query(
      "create or replace function fold_turkish(given text) returns text language sql immutable as 'select given'",
    );
    await database.pool.query(
      "update schema_functions set checksum = 'other', version = $1 where name = 'fold_turkish'",
      [version],
    );
    await migrate(database.connection, silentLog);
    return await source();
  };
  expect(await theirs('99.0.0')).toBe('select given');
  expect(await theirs('0.0.1')).toBe(ours);
  expect(await theirs(programVersion())).toBe(ours);
});

test('versions are compared by their numbers', () => {
  expect([
    isNewer('0.10.0', '0.9.1'),
    isNewer('0.9.1', '0.10.0'),
    isNewer('1.0.0', '1.0.0'),
    isNewer('1.0.1', '1.0'),
  ]).toEqual([true, false, false, true]);
});
