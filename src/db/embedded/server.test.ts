import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { ownData } from '../../../test/support/program/own-data.ts';
import { temporaryFolder } from '../../../test/support/run/temporary-folder.ts';
import { silentLog } from '../../log.ts';
import { openClient } from '../db.ts';
import { findBinaries } from './binaries.ts';
import { layoutOf } from './layout.ts';
import { isAlive } from './liveness.ts';
import { type EmbeddedDatabase, type EmbeddedOptions, runningEmbedded, startEmbedded } from './server.ts';

const patience = { timeout: 90_000, interval: 20 };
const running = new Set<EmbeddedDatabase>();
afterAll(async () => {
  for (const database of running) await database.stop();
});

async function start(dataDir: string, more: Partial<EmbeddedOptions> = {}): Promise<EmbeddedDatabase> {
  const database = await startEmbedded({ dataDir, log: silentLog, reserveBytes: 0, ...more });
  running.add(database);
  return database;
}

async function stop(database: EmbeddedDatabase): Promise<void> {
  await database.stop();
  running.delete(database);
}

async function query(database: EmbeddedDatabase, sql: string): Promise<Record<string, unknown>[]> {
  const client = await openClient(database.connection, { name: 'peyk test', onError: () => {} });
  return client
    .query(sql)
    .then(result => result.rows)
    .finally(() => client.end());
}

describe('in a folder that only its owner may enter', () => {
  const dataDir = temporaryFolder();

  test('a first start works and the database is not run by root', async () => {
    const database = await start(dataDir);
    expect(await query(database, 'select current_database() as name, current_user as "user"')).toEqual([
      { name: 'peyk', user: 'peyk' },
    ]);
    const uid = Number(execFileSync('ps', ['-o', 'uid=', '-p', String(database.pid)], { encoding: 'utf8' }));
    expect(uid).not.toBe(0);
  });

  test('what is committed is on the disk: fsync, synchronous_commit, full_page_writes and checksums are on', async () => {
    const [database] = running;
    for (const name of ['fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums']) {
      expect(await query(database!, `select current_setting('${name}') as value`), name).toEqual([{ value: 'on' }]);
    }
  });

  test('the server listens on no network address and sorts by bytes in UTF-8', async () => {
    const [database] = running;
    expect(
      await query(
        database!,
        "select current_setting('listen_addresses') as addresses, datcollate, pg_encoding_to_char(encoding) as encoding from pg_database where datname = 'peyk'",
      ),
    ).toEqual([{ addresses: '', datcollate: 'C', encoding: 'UTF8' }]);
  });

  test('a stopped server leaves no process and no connection behind', async () => {
    const [database] = running;
    await query(database!, 'create table kept as select 1 as id');
    const pids = await query(database!, 'select pid from pg_stat_activity');
    expect(await runningEmbedded(dataDir)).toEqual(database!.connection);
    await stop(database!);
    expect([database!.pid, ...pids.map(row => Number(row['pid']))].filter(isAlive)).toEqual([]);
    expect(await runningEmbedded(dataDir)).toBeNull();
  });

  test('a pid file with the id of another process does not prevent the next start', async () => {
    writeFileSync(join(layoutOf(dataDir).cluster, 'postmaster.pid'), `${process.pid}\n/nowhere\n0\n5432\n/nowhere\n`);
    const database = await start(dataDir);
    expect(database.adopted).toBe(false);
    expect(await query(database, 'select id from kept')).toEqual([{ id: 1 }]);
    await stop(database);
  });

  test('a copy of the data starts with its rows, whichever user copied it', async () => {
    const copyDir = temporaryFolder();
    cpSync(layoutOf(dataDir).cluster, layoutOf(copyDir).cluster, { recursive: true, verbatimSymlinks: true });
    const database = await start(copyDir);
    expect(await query(database, 'select id from kept')).toEqual([{ id: 1 }]);
    await stop(database);
  });
});

describe('when processes are killed', () => {
  const dataDir = temporaryFolder();

  test('a server whose program was killed is adopted by the next start', async () => {
    const owner = await ownData(dataDir, 'database');
    await owner.kill();
    const database = await start(dataDir);
    expect(database).toMatchObject({ adopted: true, pid: owner.serverPid });
    await query(database, 'create table kept as select 1 as id');
  });

  test('a killed server comes back with every committed row, adopted or not', async () => {
    const [database] = running;
    for (const id of [2, 3]) {
      await query(database!, `insert into kept values (${id})`);
      const killed = database!.pid;
      process.kill(killed, 'SIGKILL');
      await vi.waitFor(() => expect([0, killed]).not.toContain(database!.pid), patience);
      expect(await query(database!, 'select count(*)::int as count from kept')).toEqual([{ count: id }]);
    }
  });

  test('an adopted or restarted server is stopped like any other', async () => {
    const [database] = running;
    await stop(database!);
    expect(isAlive(database!.pid)).toBe(false);
    const owner = await ownData(dataDir, 'database');
    await owner.kill();
    const adopted = await start(dataDir);
    await stop(adopted);
    expect(isAlive(owner.serverPid!)).toBe(false);
  });
});

test('a data path of 150 characters with spaces and commas works', async () => {
  const dataDir = join(temporaryFolder(), `long, path ${'x'.repeat(60)}`, 'y'.repeat(79));
  expect(dataDir.length).toBeGreaterThan(150);
  const database = await start(dataDir);
  expect(await query(database, 'select 1 as one')).toEqual([{ one: 1 }]);
  await stop(database);
  expect(existsSync(database.connection.host)).toBe(false);
});

describe('a server that cannot start', () => {
  const dataDir = temporaryFolder();
  const broken = join(dataDir, 'broken');
  const { diskReserve } = layoutOf(dataDir);

  // Wrappers of the real programs that fail on demand, as on a full disk or damaged data.
  async function wrappedPrograms(): Promise<string> {
    const real = await findBinaries({ dataMajor: null, dataDir, identity: null, log: silentLog });
    const folder = temporaryFolder();
    chmodSync(folder, 0o755);
    const binDir = join(folder, 'bin');
    mkdirSync(binDir, { mode: 0o755 });
    const fail = (file: string, text: string) => `[ -e '${file}' ] && { echo "${text}" >&2; exit 1; }`;
    const bodies = {
      initdb: '',
      postgres: `[ "$1" = --version ] && exec '${real.binDir}/postgres' --version
${fail(broken, 'PANIC: the data is damaged')}
${fail(diskReserve, 'FATAL: could not write lock file: No space left on device')}`,
    };
    for (const [name, body] of Object.entries(bodies)) {
      writeFileSync(join(binDir, name), `#!/bin/sh\n${body}\nexec '${real.binDir}/${name}' "$@"\n`, { mode: 0o755 });
    }
    return binDir;
  }

  test('because the disk is full releases the disk reserve once; another failing start is retried until its cause is gone, or given up with an error', async () => {
    const binDir = await wrappedPrograms();
    writeFileSync(diskReserve, 'x'.repeat(1000));
    const errors: string[] = [];
    const log = { ...silentLog, error: (_: object, event: string) => errors.push(event) };
    const exits: string[] = [];
    const tries = () => errors.filter(event => event.includes('did not start')).length;
    const database = await start(dataDir, { binDir, log, giveUpMs: 8_000, onExit: why => exits.push(why) });
    expect(existsSync(diskReserve)).toBe(false);
    expect(errors.filter(event => event.includes('THE DISK IS FULL'))).toHaveLength(1);

    // From here on the server dies and cannot start until the cause is gone.
    const killed = database.pid;
    writeFileSync(broken, '');
    process.kill(killed, 'SIGKILL');
    await vi.waitFor(() => expect(tries()).toBeGreaterThan(1), patience);
    rmSync(broken);
    await vi.waitFor(() => expect([0, killed]).not.toContain(database.pid), patience);
    expect(exits).toEqual([]);

    // The same without help: retries for a while, then one error.
    writeFileSync(broken, '');
    process.kill(database.pid, 'SIGKILL');
    await vi.waitFor(() => expect(exits).toHaveLength(1), patience);
    expect(exits[0]).toContain('the data is damaged');
    await stop(database);
    await expect(start(dataDir, { binDir })).rejects.toThrow('the data is damaged');
    rmSync(broken);
    await stop(await start(dataDir, { binDir }));
  });
});

test('the disk reserve is written while the server runs and stays when it stops', async () => {
  const dataDir = temporaryFolder();
  const database = await start(dataDir, { reserveBytes: 1024 * 1024 });
  await vi.waitFor(() => expect(existsSync(layoutOf(dataDir).diskReserve)).toBe(true), patience);
  await stop(database);
  expect(existsSync(layoutOf(dataDir).diskReserve)).toBe(true);
});
