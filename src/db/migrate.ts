// Applies migrations/NNNN_*.sql in order, forward only, one transaction each, then the functions (src/<owner>/sql). One program migrates
// at a time, so any number may start at once. An applied migration must not change: its checksum is compared. Only `peyk start` and
// `peyk migrate` migrate; other commands call `requireSchema`.
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { backoffMs } from '../time/backoff.ts';
import { type Connection, citusOf, openClient, type Queryable, schemaOf, sqlState } from './db.ts';
import type pg from './driver.ts';
import { applyFunctions, pendingFunctions, refuseNewerFunctions, type SqlFile } from './functions.ts';
import { migrationFiles, piecesForCluster } from './migration-files.ts';
import {
  openRecords,
  readRecords,
  recordBaseline,
  refuseBefore,
  refuseChanged,
  refuseNewer,
  refuseOlder,
  writeDown,
} from './schema-records.ts';
import { statementLimits } from './statement-limits.ts';
import { dropFunctions, type StopWait, stopsAll, waitUntilAlone } from './stop-all.ts';

const migrationLock = 7_030_001;
const turnPollMs = 100;
// A migration that waits for a lock blocks all later statements on the table, so it gives up and tries again.
const lockMaxMs = 2_000;
const lockTriesMax = 30;
const lockPauseMs = { base: 200, max: 10_000 };
const passingStates = new Set(['55P03', '40P01']);

/** How many of the pending migrations are applied; without it each is logged. */
export type OnMigrated = (done: number, total: number) => void;
type MigrateOptions = { files?: SqlFile[]; stop?: StopWait; onMigrated?: OnMigrated };

export async function migrate(connection: Connection, log: Log, options: MigrateOptions = {}): Promise<string[]> {
  const { files = migrationFiles(), stop, onMigrated } = options;
  // A schema of a cluster is migrated through the coordinator, which takes single statements alone.
  const citus = citusOf(connection);
  const client = await openClient(citus?.plain ?? connection, migrating);
  try {
    const schema = schemaOf(connection);
    await takeTurn(client, log, schema);
    // A cluster would distribute the new schema at once and refuse the first migrations; it is distributed after them.
    if (schema && !citus) await client.query('set citus.enable_schema_based_sharding = off');
    if (schema) await client.query(`create schema if not exists ${schema}`);
    await openRecords(client);
    const applied = await readRecords(client);
    refuseBefore(applied);
    refuseNewer(applied, files);
    refuseChanged(applied, files);
    await refuseNewerFunctions(client);
    const known = new Set(applied.map(one => one.name));
    const pending = files.filter(file => !known.has(file.name));
    const stopping = pending.find(stopsAll);
    if (stopping && applied.length > 0) await waitUntilAlone(client, stopping, log, schema, stop);
    for (const [i, file] of pending.entries()) {
      if (file === stopping) {
        await recordBaseline(client, files);
        await dropFunctions(client);
        await citus?.holder.dropPrepared();
      }
      await apply(client, citus ? { ...file, pieces: piecesForCluster(file.text) } : file, log);
      if (onMigrated) onMigrated(i + 1, pending.length);
      else log.info({ migration: file.name }, 'migration applied');
    }
    const functions = await applyFunctions(client);
    if (functions.length > 0 && !onMigrated) log.info({ functions: functions.length }, 'functions applied');
    if (citus && pending.length + functions.length > 0) await citus.holder.prepareAgain();
    return pending.map(file => file.name);
  } finally {
    await client.end();
  }
}

/** Refuses a database of another version and says what to do. */
export async function requireSchema(connection: Connection, files = migrationFiles()): Promise<void> {
  const client = await openClient(connection, migrating);
  try {
    const applied = await readRecords(client);
    refuseBefore(applied);
    refuseNewer(applied, files);
    await refuseNewerFunctions(client);
    refuseOlder(applied, files, await pendingFunctions(client));
  } finally {
    await client.end();
  }
}

const migrating = { name: 'peyk migrate', onError: () => {}, limit: statementLimits.migration };

// The same key as lock_salt, which may not exist yet.
const turnSql = `select pg_try_advisory_lock($1::bigint # case coalesce(current_schema(), $2) when 'public' then 0
  else hashtext(coalesce(current_schema(), $2)) end) as ours`;

/** Polls for the lock: a waiting statement would hold a snapshot, and concurrent index builds would wait for it. */
async function takeTurn(client: pg.Client, log: Log, schema = 'public'): Promise<void> {
  for (let asked = 0; ; asked++) {
    const { rows } = await client.query(turnSql, [migrationLock, schema]);
    if (rows[0].ours) return;
    if (asked === 50) log.warn({}, 'another program is migrating this database, waiting for it');
    await pause(turnPollMs);
  }
}

type Pieces = SqlFile & { pieces?: string[] };

async function apply(client: pg.Client, file: Pieces, log: Log): Promise<void> {
  for (let tries = 1; ; tries++)
    try {
      if (isOutside(file)) await outsideTransaction(client, file);
      else await inTransaction(client, file);
      return;
    } catch (error) {
      if (!passingStates.has(sqlState(error)) || tries >= lockTriesMax)
        throw new Error(`migration ${file.name} failed: ${(error as Error).message}`, { cause: error });
      log.warn({ migration: file.name, tries }, 'a table of the migration is in use, trying again');
      await pause(backoffMs(tries - 1, lockPauseMs.base, lockPauseMs.max));
    }
}

async function inTransaction(client: pg.Client, file: Pieces): Promise<void> {
  await client.query(`begin; set local lock_timeout = ${lockMaxMs}`);
  try {
    for (const text of file.pieces ?? [file.text]) await client.query(text);
    await writeDown(client, file);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

/** `-- outside a transaction`: a single statement that can be repeated and that PostgreSQL refuses within a transaction. */
function isOutside(file: SqlFile): boolean {
  return /^-- outside a transaction$/m.test(file.text);
}

/** Runs without a lock limit: a concurrent index build blocks neither reads nor writes. */
async function outsideTransaction(client: pg.Client, file: SqlFile): Promise<void> {
  await client.query('set lock_timeout = 0');
  await dropLeftOver(client, file);
  await client.query(file.text);
  await writeDown(client, file);
  await client.query('reset lock_timeout');
}

/** An interrupted concurrent index is invalid, and `if not exists` would keep it. */
async function dropLeftOver(client: pg.Client, file: SqlFile): Promise<void> {
  const name = /create (?:unique )?index concurrently (?:if not exists )?(\w+)/i.exec(file.text)?.[1];
  if (!name) return;
  const { rowCount } = await client.query(
    'select 1 from pg_index where indexrelid = to_regclass($1) and not indisvalid',
    [name],
  );
  if (rowCount) await client.query(`drop index concurrently ${name}`);
}

/** Migrations that the database lacks, and migrations of a newer program. */
export async function migrationsApart(db: Queryable): Promise<{ pending: string[]; unknown: string[] }> {
  const [ours, theirs] = [migrationFiles(), await readRecords(db)].map(list => list.map(one => one.name)) as [
    string[],
    string[],
  ];
  return {
    pending: ours.filter(name => !theirs.includes(name)),
    unknown: theirs.filter(name => !ours.includes(name)),
  };
}
