// Releases that share a database: who may run on it, who may change it, and how it is changed beside those who use it.
import { afterAll, beforeEach, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { sha256 } from '../digest.ts';
import { silentLog } from '../log.ts';
import type { SqlFile } from './functions.ts';
import { migrate, migrationFiles, requireSchema } from './migrate.ts';
import { neededBy } from './schema-books.ts';
import { programVersion } from './version.ts';

const database = await testDatabase();
const db = database.pool;
afterAll(() => database.close());

const strange = '9999_from_the_future.sql';
beforeEach(() => db.query("delete from schema_migrations where name like '99%'"));

const file = (name: string, text: string): SqlFile => ({ name, text, checksum: sha256(text).toString('hex') });
const together = (...more: SqlFile[]) => [...migrationFiles(), ...more];
const start = (files?: SqlFile[]) => migrate(database.connection, silentLog, files);
const command = (files?: SqlFile[]) => requireSchema(database.connection, files);
const appliedByOthers = (version: string | null, needs: string | null) =>
  db.query('insert into schema_migrations (name, checksum, version, needs) values ($1, $2, $3, $4)', [
    strange,
    'x',
    version,
    needs,
  ]);

test.each([
  ['that needs a newer one', '99.1.0', '99.0.0', 'use version 99.0.0 or newer'],
  ['that does not say who may run on it', null, null, 'use the version that applied it'],
])(
  'a program that meets a schema %s refuses to start, and its commands refuse too',
  async (_name, version, needs, advice) => {
    await appliedByOthers(version, needs);
    for (const act of [start, command])
      await expect(act()).rejects.toThrow(
        new RegExp(
          `belongs to a newer Peyk: migration ${strange} .*${version ?? 'unknown'}.* This is ${programVersion()}; ${advice}`,
        ),
      );
  },
);

test('a program starts on a newer schema that says it may: nodes are upgraded one by one', async () => {
  await appliedByOthers('99.1.0', programVersion());
  expect(await start()).toEqual([]);
  await command();
});

test('a command refuses a database that is older than itself and says what to do; migrate does it', async () => {
  const files = together(file('9901_more.sql', 'create table more_of_it (id int)'));
  await expect(command(files)).rejects.toThrow(/is older than this Peyk .* 9901_more.sql .* Run "peyk migrate"/);
  expect(await start(files)).toEqual(['9901_more.sql']);
  await command(files);
  await db.query("update schema_functions set checksum = 'old' where name = 'settle_1'");
  await expect(command(files)).rejects.toThrow(/older .* settle_1/);
  await start(files);
  await command(files);
});

test('each migration is written down with who applied it and the lowest version that may run on it', async () => {
  const line = programVersion().replace(/\.\d+$/, '.0');
  await start(together(file('9902_plain.sql', 'select 1'), file('9903_low.sql', '-- needs: 0.0.1\nselect 1')));
  const { rows } = await db.query("select version, needs from schema_migrations where name like '990%' order by name");
  expect(rows).toEqual([
    { version: programVersion(), needs: line },
    { version: programVersion(), needs: '0.0.1' },
  ]);
  expect(migrationFiles().every(one => /^\d+\.\d+\.\d+$/.test(neededBy(one)))).toBe(true);
});

test('a command makes no schema in an empty database', async () => {
  const name = `empty_${process.pid}`;
  await db.query(`create database ${name}`);
  try {
    await expect(requireSchema({ ...database.connection, database: name })).rejects.toThrow(
      'the database is empty: run "peyk migrate", or start the program',
    );
  } finally {
    await db.query(`drop database ${name} with (force)`);
  }
});

test('a migration that waits for a lock lets others pass, asks again, and is applied when the lock is free', async () => {
  await db.query('create table if not exists busy (id int)');
  const holder = await db.connect();
  await holder.query('begin');
  await holder.query('select from busy');
  const tries: object[] = [];
  const log = { ...silentLog, warn: (fields: object) => void tries.push(fields) };
  const migration = file('9904_lock.sql', 'alter table busy add column more int');
  const done = migrate(database.connection, log, together(migration));
  const waiting = "select 1 from pg_stat_activity where query like '%alter table busy%' and wait_event_type = 'Lock'";
  await expect.poll(async () => (await db.query(`${waiting} and pid <> pg_backend_pid()`)).rowCount).toBe(1);
  // Queued behind the migration, and let through while the holder still holds.
  expect((await db.query('select count(*)::int as n from busy')).rows).toEqual([{ n: 0 }]);
  await expect.poll(() => tries.length).toBeGreaterThan(0);
  await holder.query('commit');
  holder.release();
  expect(await done).toEqual(['9904_lock.sql']);
});

test('a step outside a transaction makes an index beside writers, by one of many programs, and replaces what an interrupted one left', async () => {
  await db.query('create table numbers (n int); insert into numbers values (1), (1)');
  await expect(db.query('create unique index concurrently numbers_once on numbers (n)')).rejects.toThrow();
  const valid = async () =>
    (await db.query("select indisvalid as valid from pg_index where indexrelid = to_regclass('numbers_once')")).rows;
  expect(await valid()).toEqual([{ valid: false }]);
  await db.query('truncate numbers');
  const text = '-- outside a transaction\ncreate unique index concurrently if not exists numbers_once on numbers (n)';
  const files = together(file('9905_index.sql', text));
  const applied = await Promise.all(Array.from({ length: 3 }, () => start(files)));
  expect(applied.flat()).toEqual(['9905_index.sql']);
  expect(await valid()).toEqual([{ valid: true }]);
});
