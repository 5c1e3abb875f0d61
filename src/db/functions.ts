// Functions of the database live beside the TypeScript that calls them: src/<owner>/sql/<name>.sql, each `create or replace`.
// They are applied after the migrations, all changed ones in one transaction, so that no call sees half of a change. Two releases may share a
// database during an upgrade: a program never replaces a function of a newer one, and a changed signature of a released function gets
// another name (docs/decisions/0003).
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { sha256 } from '../sealing/digest.ts';
import { programBuild } from './build.ts';
import type pg from './driver.ts';
import { isNewer, programVersion, projectRoot, WrongVersion } from './version.ts';

export type SqlFile = { name: string; text: string; checksum: string };

/** Applies the functions that differ from what the database has; returns their names. */
export async function applyFunctions(client: pg.Client): Promise<string[]> {
  await client.query(`create table if not exists schema_functions (
    name text primary key, checksum text not null, version text not null, applied_at timestamptz not null default now(), build bigint)`);
  // Checked first: even `if not exists` takes a lock that waits for all others.
  const { rows } = await client.query(
    `select 1 from pg_attribute where attrelid = 'schema_functions'::regclass and attname = 'build'`,
  );
  if (rows.length === 0) await client.query('alter table schema_functions add column if not exists build bigint');
  const pending = await pendingFunctions(client);
  if (pending.length === 0) return [];
  await client.query('begin');
  try {
    for (const file of pending) await replace(client, file);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
  return pending.map(file => file.name);
}

/** `build`: of the program that applied the function; releases without build numbers wrote none. */
type Stored = { name: string; checksum: string; version: string; build?: string | null };

async function readRecords(client: pg.Client): Promise<Stored[]> {
  const found = await client.query("select to_regclass('schema_functions') is not null as there");
  if (!found.rows[0].there) return [];
  const { rows } = await client.query<{ one: Stored }>('select to_jsonb(f) as one from schema_functions f');
  return rows.map(({ one }) => one);
}

/** Functions that the database lacks, or has from an older program. */
export async function pendingFunctions(client: pg.Client): Promise<SqlFile[]> {
  const known = new Map((await readRecords(client)).map(one => [one.name, one]));
  return functionFiles().filter(file => {
    const stored = known.get(file.name);
    return !stored || (stored.checksum !== file.checksum && !isNewer(stored.version, programVersion()));
  });
}

/** Refuses to start an older build of the same version: its functions do not fit the tables of the newer one. */
export async function refuseNewerFunctions(client: pg.Client): Promise<void> {
  const ours = new Map(functionFiles().map(file => [file.name, file.checksum]));
  const newer = (await readRecords(client)).filter(
    one =>
      one.version === programVersion() &&
      Number(one.build ?? 0) > programBuild() &&
      ours.has(one.name) &&
      ours.get(one.name) !== one.checksum,
  );
  if (newer.length === 0) return;
  throw new WrongVersion(
    `the functions of the database are of a newer build of Peyk ${programVersion()}: ${newer[0]!.name} of build ${newer[0]!.build}. ` +
      `This is build ${programBuild()}; start the newer build.`,
  );
}

const namedSql = `select p.oid::int8 as oid, p.oid::regprocedure::text as text from pg_proc p
  where p.pronamespace = current_schema()::regnamespace and p.proname = $1`;

/** Replaces a function also if its result or parameters changed. */
async function replace(client: pg.Client, file: SqlFile): Promise<void> {
  try {
    const before = (await client.query(namedSql, [file.name])).rows;
    await client.query('savepoint replacing');
    await client.query(file.text).catch(async error => {
      if (sqlStateOf(error) !== otherResult) throw error;
      await client.query('rollback to savepoint replacing');
      for (const { text } of before) await client.query(`drop routine ${text}`);
      await client.query(file.text);
    });
    const after = (await client.query(namedSql, [file.name])).rows;
    const isBeside = after.some(one => !before.some(other => other.oid === one.oid)) && after.length > 1;
    const left = after.filter(one => before.some(other => other.oid === one.oid));
    if (isBeside) for (const { text } of left) await client.query(`drop routine ${text}`);
  } catch (error) {
    throw new Error(`function ${file.name} could not be made: ${(error as Error).message}`, { cause: error });
  }
  await client.query(
    `insert into schema_functions (name, checksum, version, build) values ($1, $2, $3, $4)
     on conflict (name) do update set checksum = excluded.checksum, version = excluded.version, build = excluded.build,
       applied_at = excluded.applied_at`,
    [file.name, file.checksum, programVersion(), programBuild()],
  );
}

const otherResult = '42P13';
const sqlStateOf = (error: unknown) => (error as { code?: string }).code;

let files: SqlFile[] | null = null;

/** Every src/<owner>/sql/<name>.sql, by name; a process reads them once (20 ms). */
export function functionFiles(): SqlFile[] {
  files ??= readFunctions();
  return files;
}

function readFunctions(): SqlFile[] {
  const source = join(projectRoot(), 'src');
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter(path => /(^|[\\/])sql[\\/]\w+\.sql$/.test(path))
    .map(path => ({ name: basename(path, '.sql'), text: readFileSync(join(source, path), 'utf8') }))
    .map(file => ({ ...file, checksum: sha256(file.text).toString('hex') }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
