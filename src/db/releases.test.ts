// Releases that share a database: which may run on it, which may change it, and how it is changed while others use it.
import { afterAll, beforeEach, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database/database.ts';
import { silentLog } from '../log.ts';
import { sha256 } from '../sealing/digest.ts';
import { openClient, openPool } from './db.ts';
import pg from './driver.ts';
import type { SqlFile } from './functions.ts';
import { migrate, requireSchema } from './migrate.ts';
import { migrationFiles } from './migration-files.ts';
import { neededBy } from './schema-records.ts';
import { programVersion } from './version.ts';

const database = await testDatabase();
const db = database.pool;
afterAll(() => database.close());

const strange = '9999_from_the_future.sql';
beforeEach(() => db.query("delete from schema_migrations where name like '99%'"));

const file = (name: string, text: string): SqlFile => ({ name, text, checksum: sha256(text).toString('hex') });
const together = (...more: SqlFile[]) => [...migrationFiles(), ...more];
const start = (files = migrationFiles()) => migrate(database.connection, silentLog, { files });
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

test('a command refuses an older database and says what to do; migrate does it', async () => {
  const files = together(file('9901_more.sql', 'create table more_of_it (id int)'));
  await expect(command(files)).rejects.toThrow(/is older than this Peyk .* 9901_more.sql .* Run "peyk migrate"/);
  expect(await start(files)).toEqual(['9901_more.sql']);
  await command(files);
  await db.query("update schema_functions set checksum = 'old' where name = 'settle'");
  await expect(command(files)).rejects.toThrow(/older .* settle/);
  await start(files);
  await command(files);
});

test('a database older than the release before is refused, and the error names the step', async () => {
  await db.query("update schema_migrations set name = '0173_fresh_uncounted.sql' where name = '0174_baseline.sql'");
  const step =
    /older than Peyk 0\.2\.0, and .* upgrades from 0\.2\.0 only: run "peyk migrate" of version 0\.2\.0 first/;
  try {
    await expect(start()).rejects.toThrow(step);
    await expect(command()).rejects.toThrow(step);
  } finally {
    await db.query("update schema_migrations set name = '0174_baseline.sql' where name = '0173_fresh_uncounted.sql'");
  }
});

test('a migration that stops all nodes waits for programs that serve, then refuses and names them; commands may stay', async () => {
  const files = together(file('9906_stop.sql', '-- stops all nodes\ndrop table schedules_of_old'));
  await db.query('create table schedules_of_old (id int)');
  const node = new pg.Client({ ...database.connection, application_name: 'peyk dispatch' });
  await node.connect();
  const command = await openClient(database.connection, { name: 'peyk command', onError: () => {} });
  try {
    await expect(migrate(database.connection, silentLog, { files, stop: { waitMs: 100, askMs: 50 } })).rejects.toThrow(
      /9906_stop\.sql needs all nodes stopped, .* "peyk dispatch" from .* Stop every node/,
    );
    expect((await db.query('select 1 from schedules_of_old')).rowCount).toBe(0);
    const done = migrate(database.connection, silentLog, { files, stop: { waitMs: 60_000, askMs: 20 } });
    await node.end();
    expect(await done).toEqual(['9906_stop.sql']);
  } finally {
    await Promise.all([node.end(), command.end()]);
  }
});

test('in a shared database, dispatchers with a heartbeat keep such a migration waiting', async () => {
  const name = `stopped_${process.pid}`;
  const connection = { connectionString: `${database.url}&schema=${name}` };
  await migrate(connection, silentLog);
  const there = openPool(connection, { max: 2, name: 'peyk test', onError: () => {} });
  await there.query("insert into dispatchers (node) values ('kuzey'), ('gone')");
  let lives = true;
  const beating = (async () => {
    while (lives) await there.query("update dispatchers set beat = beat + 1 where node = 'kuzey'");
  })();
  const files = together(file('9907_stop.sql', '-- stops all nodes\nselect 1'));
  const attempt = () => migrate(connection, silentLog, { files, stop: { waitMs: 0, askMs: 1 } });
  await expect(attempt()).rejects.toThrow(/still serves the dispatcher of node "kuzey"\./);
  lives = false;
  await beating;
  expect(await attempt()).toEqual(['9907_stop.sql']);
  await there.end();
});

test('such a migration drops the functions that this build no longer contains; no other does', async () => {
  const made = 'create function of_old() returns int language sql as $$ select 1 $$';
  const known = "insert into schema_functions (name, checksum, version) values ('of_old', 'x', '0.2.0')";
  const others = 'create function of_the_operator() returns int language sql as $$ select 1 $$';
  await db.query(`${made}; ${others}; ${known}`);
  const here = async () =>
    (await db.query("select proname from pg_proc where proname like 'of\\_%' order by 1")).rows.map(one => one.proname);
  await start(together(file('9908_plain.sql', 'select 1')));
  expect(await here()).toEqual(['of_old', 'of_the_operator']);
  const both = together(file('9908_plain.sql', 'select 1'), file('9909_stop.sql', '-- stops all nodes\nselect 1'));
  await start(both);
  expect(await here()).toEqual(['of_the_operator']);
  await db.query('drop function of_the_operator()');
  await command(both);
});

test('an older build of the same version refuses to start: neither its functions nor its migrations are put back', async () => {
  await db.query("update schema_functions set checksum = 'newer', build = 99990101000000 where name = 'fold_turkish'");
  for (const act of [start, command])
    await expect(act()).rejects.toThrow(/of a newer build of Peyk .*: fold_turkish of build 99990101000000/);
  await db.query("update schema_functions set build = 0 where name = 'fold_turkish'");
  expect(await start()).toEqual([]);
  await appliedByOthers(programVersion(), '0.0.1');
  await expect(start()).rejects.toThrow(/a newer build of Peyk .* it applied migration 9999_from_the_future/);
});

test('a function whose parameters or result changed replaces the one of its name', async () => {
  await db.query('drop function chunk_rank');
  await db.query('create function chunk_rank(of text) returns text language sql as $$ select of $$');
  await db.query("update schema_functions set checksum = 'x' where name = 'chunk_rank'");
  await start();
  const { rows } = await db.query(
    "select count(*)::int as n from pg_proc where pronamespace = 'public'::regnamespace and proname = 'chunk_rank'",
  );
  expect(rows).toEqual([{ n: 1 }]);
});

test('each migration is recorded with the version that applied it and the lowest version that may run on it', async () => {
  const line = programVersion().replace(/\.\d+$/, '.0');
  await start(together(file('9902_plain.sql', 'select 1'), file('9903_low.sql', '-- needs: 0.0.1\nselect 1')));
  const { rows } = await db.query("select version, needs from schema_migrations where name like '990%' order by name");
  expect(rows).toEqual([
    { version: programVersion(), needs: line },
    { version: programVersion(), needs: '0.0.1' },
  ]);
  expect(migrationFiles().every(one => /^\d+\.\d+\.\d+$/.test(neededBy(one)))).toBe(true);
});

test('a command creates no schema in an empty database', async () => {
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

test('a migration that waits for a lock blocks no other statement, retries, and is applied when the lock is free', async () => {
  await db.query('create table if not exists busy (id int)');
  const holder = await db.connect();
  await holder.query('begin');
  await holder.query('select from busy');
  const tries: object[] = [];
  const log = { ...silentLog, warn: (fields: object) => void tries.push(fields) };
  const migration = file('9904_lock.sql', 'alter table busy add column more int');
  const done = migrate(database.connection, log, { files: together(migration) });
  const waiting = "select 1 from pg_stat_activity where query like '%alter table busy%' and wait_event_type = 'Lock'";
  await expect.poll(async () => (await db.query(`${waiting} and pid <> pg_backend_pid()`)).rowCount).toBe(1);
  // This read queues behind the migration, and runs while the lock is still held.
  expect((await db.query('select count(*)::int as n from busy')).rows).toEqual([{ n: 0 }]);
  await expect.poll(() => tries.length).toBeGreaterThan(0);
  await holder.query('commit');
  holder.release();
  expect(await done).toEqual(['9904_lock.sql']);
});

test('a migration outside a transaction builds an index beside writers, in one of many programs, and replaces an invalid index', async () => {
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
