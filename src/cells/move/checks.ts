// Whether two databases can move an account between them, before anything is begun; and what an operator would have to change.
import type { Db } from '../../db/db.ts';
import { query, type Side } from './side.ts';

type Server = {
  walLevel: string;
  version: number;
  mayReplicate: boolean;
  maySubscribe: boolean;
  slots: number;
  slotsMax: number;
  workers: number;
  schema: string;
};

const serverSql = `
  select current_setting('wal_level') as "walLevel", current_setting('server_version_num')::int as version,
    r.rolsuper or r.rolreplication as "mayReplicate",
    r.rolsuper or exists (select 1 from pg_roles g where g.rolname = 'pg_create_subscription' and pg_has_role(g.oid, 'member')) as "maySubscribe",
    (select count(*)::int from pg_replication_slots) as slots, current_setting('max_replication_slots')::int as "slotsMax",
    current_setting('max_logical_replication_workers')::int as workers,
    current_schema() as schema
  from pg_roles r where r.rolname = current_user`;

// The stream's own, and one for each of the two tables that are copied at a time.
const slotsNeeded = 3;

/** What stands in the way of accounts leaving this database; empty: nothing. */
export async function hindrancesToLeave(db: Db): Promise<string[]> {
  const server = await serverOf(db);
  const found = onlyInPublic(server);
  if (server.version < 150_000) found.push('PostgreSQL 15 or newer is needed, for row filters of publications');
  if (server.walLevel !== 'logical')
    found.push(`wal_level is ${server.walLevel}: ALTER SYSTEM SET wal_level = 'logical', then restart the server`);
  if (!server.mayReplicate) found.push('the database user needs REPLICATION: ALTER ROLE … REPLICATION');
  if (server.slotsMax - server.slots < slotsNeeded)
    found.push(
      `max_replication_slots is ${server.slotsMax} and ${server.slots} are in use; a move needs ${slotsNeeded}`,
    );
  return found;
}

/** Likewise of accounts coming to it. */
export async function hindrancesToArrive(db: Db): Promise<string[]> {
  const server = await serverOf(db);
  const found = onlyInPublic(server);
  if (!server.maySubscribe)
    found.push('the database user may not create subscriptions: GRANT pg_create_subscription TO …, or a superuser');
  if (server.workers < 2) found.push(`max_logical_replication_workers is ${server.workers}; a move needs 2`);
  return found;
}

/** The server's stream carries rows from a table to the one of the same schema and name. */
function onlyInPublic({ schema }: Server): string[] {
  return schema === 'public' ? [] : [`its tables are in the schema ${schema}; accounts move between databases only`];
}

async function serverOf(db: Db): Promise<Server> {
  return (await query<Server>(db, serverSql))[0]!;
}

/** In words; null: nothing stands in the way. */
export async function hindrance(source: Side, target: Side): Promise<string | null> {
  const [leave, arrive, here, there] = await Promise.all([
    hindrancesToLeave(source.db),
    hindrancesToArrive(target.db),
    schemaOf(source.db),
    schemaOf(target.db),
  ]);
  const found = [
    ...leave.map(one => `cell ${source.cell}: ${one}`),
    ...arrive.map(one => `cell ${target.cell}: ${one}`),
    ...(here === there ? [] : ['the two cells do not have the same migrations: peyk migrate']),
  ];
  return found.length > 0 ? found.join('; ') : null;
}

async function schemaOf(db: Db): Promise<string> {
  const text =
    "select coalesce(string_agg(m::text, ' ' order by m::text), '') as all from (select name from schema_migrations) m";
  return (await query<{ all: string }>(db, text))[0]!.all;
}

/** What keeps accounts from moving between these databases, in words for whoever runs them. */
export async function hindrancesAmong(cells: [number, Db][]): Promise<string[]> {
  const found = await Promise.all(
    cells.map(async ([cell, db]) => {
      const all = [...(await hindrancesToLeave(db)), ...(await hindrancesToArrive(db))];
      return [...new Set(all)].map(one => `cell ${cell}: ${one}`);
    }),
  );
  return found.flat();
}
