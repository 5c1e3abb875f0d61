// Functions of the database live beside the TypeScript that calls them: src/<owner>/sql/<name>.sql, each `create or replace`.
// They are applied after the migrations, all that changed in one transaction, so that no call ever sees half of a change.
// Two releases may share a database while nodes are upgraded one by one: a program never puts back a function that a newer
// one has replaced, and a changed signature is a new name beside the old one (docs/decisions/0003).
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { sha256 } from '../digest.ts';
import type pg from './driver.ts';
import { isNewer, programVersion, projectRoot } from './version.ts';

export type SqlFile = { name: string; text: string; checksum: string };

/** Applies the functions that differ from what the database has; returns their names. */
export async function applyFunctions(client: pg.Client): Promise<string[]> {
  await client.query(`create table if not exists schema_functions (
    name text primary key, checksum text not null, version text not null, applied_at timestamptz not null default now())`);
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

/** Those that the database has not, or has as an older release (or this one, before a change) left them. */
export async function pendingFunctions(client: pg.Client): Promise<SqlFile[]> {
  const books = await client.query("select to_regclass('schema_functions') is not null as there");
  if (!books.rows[0].there) return functionFiles();
  const { rows } = await client.query('select name, checksum, version from schema_functions');
  const known = new Map<string, { checksum: string; version: string }>(rows.map(row => [row.name, row]));
  return functionFiles().filter(file => {
    const stored = known.get(file.name);
    return !stored || (stored.checksum !== file.checksum && !isNewer(stored.version, programVersion()));
  });
}

async function replace(client: pg.Client, file: SqlFile): Promise<void> {
  try {
    await client.query(file.text);
  } catch (error) {
    throw new Error(`function ${file.name} could not be made: ${(error as Error).message}`, { cause: error });
  }
  await client.query(
    `insert into schema_functions (name, checksum, version) values ($1, $2, $3)
     on conflict (name) do update set checksum = excluded.checksum, version = excluded.version, applied_at = excluded.applied_at`,
    [file.name, file.checksum, programVersion()],
  );
}

let files: SqlFile[] | null = null;

/** Every src/<owner>/sql/<name>.sql, by name; read once by a process (20 ms), whatever it asks the database for. */
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
