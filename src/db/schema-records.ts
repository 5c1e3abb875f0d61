// The table schema_migrations: which release applied which migration, and which releases may run on the database. Two releases share a
// database during an upgrade (docs/decisions/0007-releases.md), so each migration states the lowest version that may still run.
import type { Queryable } from './db.ts';
import type pg from './driver.ts';
import type { SqlFile } from './functions.ts';
import { isNewer, programVersion, WrongVersion } from './version.ts';

/**
 * `version`: the release that applied it; `needs`: the lowest version that may run with it; null: written before these were kept.
 * `checksum` is null for the baseline of a 0.2.0 database, which applied the migrations that it replaces.
 */
type Applied = { name: string; checksum: string | null; version: string | null; needs: string | null };

/** One file creates the schema of release 0.2.0. `last`: the newest of the migrations that it replaces. */
const baseline = { name: '0174_baseline.sql', last: '0174_handed_receipts.sql', version: '0.2.0' };

const columns = ['version', 'needs'];

export async function openRecords(client: pg.Client): Promise<void> {
  await client.query(`create table if not exists schema_migrations (
    name text primary key, checksum text not null, applied_at timestamptz not null default now(), version text, needs text)`);
  const { rows } = await client.query(
    `select attname as name from pg_attribute where attrelid = 'schema_migrations'::regclass and attnum > 0`,
  );
  // Checked first: even `if not exists` takes a lock that waits for all others.
  for (const column of columns)
    if (!rows.some(row => row.name === column))
      await client.query(`alter table schema_migrations add column if not exists ${column} text`);
}

/** Returns an empty list for a new database. */
export async function readRecords(client: Queryable): Promise<Applied[]> {
  const found = await client.query("select to_regclass('schema_migrations') is not null as there");
  if (!found.rows[0].there) return [];
  // Whole rows, because an older release wrote fewer columns.
  const { rows } = await client.query('select to_jsonb(m) as one from schema_migrations m');
  const applied: Applied[] = rows.map(({ one }) => ({ version: null, needs: null, ...one }));
  if (!applied.some(one => one.name === baseline.last)) return applied;
  const { name, version } = baseline;
  return [{ name, checksum: null, version, needs: version }, ...applied.filter(one => one.name > baseline.last)];
}

/** Replaces the records of a 0.2.0 database with that of the baseline. From then on 0.2.0 refuses the database. */
export async function recordBaseline(client: pg.Client, files: SqlFile[]): Promise<void> {
  await client.query('begin');
  const { name, last } = baseline;
  const { rowCount } = await client.query('delete from schema_migrations where name <= $1 and name <> $2', [
    last,
    name,
  ]);
  if (rowCount) await writeDown(client, files.find(one => one.name === name)!);
  await client.query('commit');
}

export async function writeDown(client: pg.Client, file: SqlFile): Promise<void> {
  await client.query('insert into schema_migrations (name, checksum, version, needs) values ($1, $2, $3, $4)', [
    file.name,
    file.checksum,
    programVersion(),
    neededBy(file),
  ]);
}

/**
 * `-- needs: 1.4.0` in a migration; otherwise the first version of this release line, so that its patch releases may run side
 * by side and an older line refuses to start.
 */
export function neededBy(file: SqlFile): string {
  const said = /^-- needs: (\d+\.\d+\.\d+)$/m.exec(file.text)?.[1];
  return said ?? programVersion().replace(/^(\d+\.\d+).*$/, '$1.0');
}

/** Refuses a database that a newer release changed incompatibly. */
export function refuseNewer(applied: Applied[], files: SqlFile[]): void {
  const ours = new Set(files.map(file => file.name));
  const strange = applied.filter(
    one =>
      !ours.has(one.name) &&
      (one.needs === null || one.version === programVersion() || isNewer(one.needs, programVersion())),
  );
  const worst = strange.toSorted((a, b) => (isNewer(a.needs ?? '0', b.needs ?? '0') ? -1 : 1))[0];
  if (!worst) return;
  if (worst.version === programVersion())
    throw new WrongVersion(
      `the database belongs to a newer build of Peyk ${programVersion()}: it applied migration ${worst.name}. Start that build or a newer one.`,
    );
  const needed = worst.needs ?? worst.version;
  throw new WrongVersion(
    `the database belongs to a newer Peyk: migration ${worst.name} was applied by version ${worst.version ?? 'unknown'}. ` +
      `This is ${programVersion()}; ${needed ? `use version ${needed} or newer` : 'use the version that applied it'}.`,
  );
}

/** Refuses a database older than the baseline. */
export function refuseBefore(applied: Applied[]): void {
  if (applied.length === 0 || applied.some(one => one.name === baseline.name)) return;
  const { version } = baseline;
  throw new WrongVersion(
    `the database is older than Peyk ${version}, and ${programVersion()} upgrades from ${version} only: run "peyk migrate" of version ${version} first, then start this one.`,
  );
}

export function refuseChanged(applied: Applied[], files: SqlFile[]): void {
  const known = new Map(applied.map(one => [one.name, one.checksum]));
  const changed = files.find(file => (known.get(file.name) ?? file.checksum) !== file.checksum);
  if (changed) throw new Error(`migration ${changed.name} was changed after it was applied; add a new one instead`);
}

/** Refuses a database that is not migrated, for programs that may not migrate it. */
export function refuseOlder(applied: Applied[], files: SqlFile[], functions: SqlFile[]): void {
  if (applied.length === 0) throw new WrongVersion('the database is empty: run "peyk migrate", or start the program');
  const known = new Set(applied.map(one => one.name));
  const missing = files.filter(file => !known.has(file.name));
  const first = missing[0] ?? functions[0];
  if (!first) return;
  const newest = applied.flatMap(one => one.version ?? []).toSorted((a, b) => (isNewer(a, b) ? -1 : 1))[0];
  throw new WrongVersion(
    `the database is older than this Peyk (${programVersion()}): ${first.name} and ${missing.length + functions.length - 1} others ` +
      `were not applied yet. Run "peyk migrate", or start the program${newest ? `, or use version ${newest}` : ''}.`,
  );
}
