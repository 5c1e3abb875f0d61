// Applies migrations/NNNN_*.sql in order, forward only, one transaction each, under an advisory lock, so that any
// number of processes may start at once. A file that was applied must not change: its checksum is compared.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import type { Log } from '../log.ts';
import { type Connection, openClient } from './db.ts';

const migrationLock = 7_030_001;

export async function migrate(connection: Connection, log: Log): Promise<string[]> {
  const client = await openClient(connection, { name: 'peyk migrate', onError: () => {}, statementTimeoutMs: 0 });
  try {
    await client.query('set lock_timeout = 0');
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    await client.query(`create table if not exists schema_migrations (
      name text primary key, checksum text not null, applied_at timestamptz not null default now())`);
    return await applyPending(client, log);
  } finally {
    await client.end();
  }
}

async function applyPending(client: pg.Client, log: Log): Promise<string[]> {
  const done = new Map<string, string>();
  for (const one of (await client.query('select name, checksum from schema_migrations')).rows)
    done.set(one.name, one.checksum);
  const applied: string[] = [];
  for (const file of migrationFiles()) {
    const known = done.get(file.name);
    if (known === file.checksum) continue;
    if (known) throw new Error(`migration ${file.name} was changed after it was applied; add a new one instead`);
    await client.query('begin');
    try {
      await client.query(file.text);
      await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [file.name, file.checksum]);
      await client.query('commit');
    } catch (error) {
      await client.query('rollback');
      throw new Error(`migration ${file.name} failed: ${(error as Error).message}`, { cause: error });
    }
    log.info({ migration: file.name }, 'migration applied');
    applied.push(file.name);
  }
  return applied;
}

export function migrationFiles(): { name: string; text: string; checksum: string }[] {
  const folder = join(projectRoot(), 'migrations');
  return readdirSync(folder)
    .filter(name => /^\d{4}_.*\.sql$/.test(name))
    .sort()
    .map(name => {
      const text = readFileSync(join(folder, name), 'utf8');
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
    });
}

/** The folder that holds package.json: dist/src/db and src/db lie at different depths below it. */
export function projectRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}
