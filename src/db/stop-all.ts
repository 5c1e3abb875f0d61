// A migration with the line `-- stops all nodes` may drop and rewrite what running programs use. It waits until no program serves from this
// database, and fails if one still does (docs/decisions/0007-releases.md).
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../log.ts';
import type pg from './driver.ts';
import type { SqlFile } from './functions.ts';
import { programVersion, WrongVersion } from './version.ts';

export type StopWait = { waitMs: number; askMs: number };

const usualWait: StopWait = { waitMs: 30_000, askMs: 500 };
// Longer than the second between two beats of a dispatcher.
const beatMs = 1_500;

// Sessions of nodes of other releases, by the name of their connections (0.2.0 has no version in it). Commands, migrations and the supervisor
// of the embedded database do not count; a node of this release that waits for the migration of a cell keeps connections to it.
const sessionsSql = `
  select application_name as name, coalesce(host(client_addr), 'this machine') as host
  from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
    and application_name ~ '^peyk (api|dispatch|leases|receipts|slots|smpp|background|cells|move)( [0-9.]+)?$'
    and application_name not like '% ' || $1
  group by 1, 2 order by 1, 2`;

export function stopsAll(file: SqlFile): boolean {
  return /^-- stops all nodes$/m.test(file.text);
}

/** `schema`: other installations may use other schemas of this database, so only dispatchers with a heartbeat count. */
export async function waitUntilAlone(client: pg.Client, file: SqlFile, log: Log, schema?: string, wait = usualWait) {
  const look = schema ? beatingDispatchers : servingSessions;
  for (let waitedMs = 0; ; waitedMs += wait.askMs) {
    const others = await look(client);
    if (others.length === 0) return;
    if (waitedMs >= wait.waitMs)
      throw new WrongVersion(
        `migration ${file.name} needs all nodes stopped, but this database still serves ${others.join(', ')}. ` +
          'Stop every node of this installation, then start this release again.',
      );
    if (waitedMs === 0) log.warn({ migration: file.name, others }, 'waiting for all nodes to stop');
    await pause(wait.askMs);
  }
}

async function servingSessions(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; host: string }>(sessionsSql, [programVersion()]);
  return rows.map(one => `"${one.name}" from ${one.host}`);
}

async function beatingDispatchers(client: pg.Client): Promise<string[]> {
  const read = async () =>
    (await client.query<{ id: number; node: string; beat: number }>('select id, node, beat from dispatchers')).rows;
  const before = new Map((await read()).map(one => [one.id, one.beat]));
  if (before.size === 0) return [];
  await pause(beatMs);
  return (await read())
    .filter(one => one.beat !== before.get(one.id))
    .map(one => `the dispatcher of node "${one.node}"`);
}

// Functions use tables and types that such a migration drops. Functions of an index stay.
const functionsSql = (ours: string) => `
  select format('drop routine %s', p.oid::regprocedure) as text from pg_proc p
  where p.pronamespace = current_schema()::regnamespace and ${ours}
    and not exists (select 1 from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
    and not exists (select 1 from pg_depend d where d.refclassid = 'pg_proc'::regclass and d.refobjid = p.oid and d.deptype = 'n')`;

/** Drops all our functions; those of this build are created after the migrations. */
export async function dropFunctions(client: pg.Client): Promise<void> {
  const found = await client.query("select to_regclass('schema_functions') is not null as there");
  const isNew = !found.rows[0].there;
  const ours = isNew ? 'true' : 'p.proname in (select f.name from schema_functions f)';
  const { rows } = await client.query<{ text: string }>(functionsSql(ours));
  await client.query('begin');
  try {
    for (const { text } of rows) await client.query(text);
    if (!isNew) await client.query('delete from schema_functions');
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}
