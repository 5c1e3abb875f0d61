import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { silentLog } from '../log.ts';
import { migrate, migrationFiles, projectRoot } from './migrate.ts';

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

test('any number of processes may start on empty data at once: each migration is applied once', async () => {
  await emptied();
  const applied = await Promise.all(Array.from({ length: 4 }, () => migrate(database.connection, silentLog)));
  expect(applied.flat().sort()).toEqual(migrationFiles().map(file => file.name));
  expect(await migrate(database.connection, silentLog)).toEqual([]);
});

test('a migration that was changed after it was applied is refused', async () => {
  await database.pool.query("update schema_migrations set checksum = 'x' where name like '0001%'");
  await expect(migrate(database.connection, silentLog)).rejects.toThrow('0001_accounts.sql was changed');
  await emptied();
  await migrate(database.connection, silentLog);
});

test('a migration that fails leaves nothing of itself behind and says which one it was', async () => {
  await emptied();
  // In the way of the second migration.
  await database.pool.query('create table consent_usage (x int)');
  await expect(migrate(database.connection, silentLog)).rejects.toThrow('0002_consent.sql failed');
  const { rows } = await database.pool.query(
    "select to_regclass('brands') as brands, to_regclass('accounts') as accounts",
  );
  expect(rows).toEqual([{ brands: null, accounts: 'accounts' }]);
  await database.pool.query('drop table consent_usage');
  expect(await migrate(database.connection, silentLog)).toEqual(
    migrationFiles()
      .slice(1)
      .map(file => file.name),
  );
});

test('the project’s root is the folder of its package.json', () => {
  expect(existsSync(join(projectRoot(), 'migrations'))).toBe(true);
  expect(JSON.parse(readFileSync(join(projectRoot(), 'package.json'), 'utf8')).name).toBe('peyk');
});
