// Applies migrations/NNNN_*.sql in order, forward only, one transaction each, then the functions (src/<owner>/sql), under an
// advisory lock, so that any number of processes may start at once. A migration that was applied must not change: its
// checksum is compared.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { sha256 } from '../digest.ts';
import type { Log } from '../log.ts';
import { type Connection, openClient, type Queryable } from './db.ts';
import { applyFunctions, type SqlFile } from './functions.ts';
import { statementLimits } from './statement-limits.ts';
import { projectRoot } from './version.ts';

const migrationLock = 7_030_001;

export async function migrate(connection: Connection, log: Log): Promise<string[]> {
  const client = await openClient(connection, {
    name: 'peyk migrate',
    onError: () => {},
    limit: statementLimits.migration,
  });
  try {
    await client.query('set lock_timeout = 0');
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    await client.query(`create table if not exists schema_migrations (
      name text primary key, checksum text not null, applied_at timestamptz not null default now())`);
    const applied = await applyPending(client, log);
    const functions = await applyFunctions(client);
    if (functions.length > 0) log.info({ functions: functions.length }, 'functions applied');
    return applied;
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

export function migrationFiles(): SqlFile[] {
  const folder = join(projectRoot(), 'migrations');
  return readdirSync(folder)
    .filter(name => /^\d{4}_.*\.sql$/.test(name))
    .sort()
    .map(name => {
      const text = readFileSync(join(folder, name), 'utf8');
      return { name, text, checksum: sha256(text).toString('hex') };
    });
}

/** What the program has and the database has not, and the other way round (a newer program was here). */
export async function migrationsApart(db: Queryable): Promise<{ pending: string[]; unknown: string[] }> {
  const known = await db.query(`select to_regclass('schema_migrations') is not null as there`);
  const applied = known.rows[0].there ? (await db.query('select name from schema_migrations')).rows : [];
  const [ours, theirs] = [migrationFiles().map(one => one.name), applied.map(one => one.name as string)];
  return {
    pending: ours.filter(name => !theirs.includes(name)),
    unknown: theirs.filter(name => !ours.includes(name)),
  };
}
