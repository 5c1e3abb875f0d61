// A distributed schema of a Citus cluster in place of a database. PEYK_TEST_CITUS_URL is the address of its coordinator. The
// cluster needs two servers that take tables, and wal_level = logical on all of them.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { distributeSchema } from '../../../src/cells/distribute.ts';
import { type Db, openPool } from '../../../src/db/db.ts';
import { migrate } from '../../../src/db/migrate.ts';
import { silentLog } from '../../../src/log.ts';
import { placeAt, type TestPlace, testDatabase } from './database.ts';

/** Empty: there is no cluster. */
export const clusterUrl = process.env['PEYK_TEST_CITUS_URL'] ?? '';

export type ClusterServer = { id: number; host: string; port: number; holds: boolean };

export function newSchema(): { schema: string; address: string } {
  const schema = `test_${randomBytes(6).toString('hex')}`;
  return { schema, address: `${clusterUrl}${clusterUrl.includes('?') ? '&' : '?'}schema=${schema}` };
}

/** Migrated, distributed, and used by one test file. */
export async function distributedDatabase(): Promise<TestPlace> {
  const { schema, address } = newSchema();
  await migrate({ connectionString: address }, silentLog);
  const db = openPool({ connectionString: address }, { max: 1, name: 'peyk test', onError: () => {} });
  await distributeSchema(db, schema).finally(() => db.end());
  const url = `${address}&citus=on`;
  const connection = { connectionString: url };
  return placeAt(url, connection, connection, () => removeSchema(schema));
}

/** The servers of the cluster that take tables, and which of them has this schema. */
export async function clusterServers(coordinator: Db, schema: string): Promise<ClusterServer[]> {
  const { rows } = await coordinator.query<ClusterServer>(
    `select n.nodeid as id, n.nodename as host, n.nodeport as port, exists (select 1 from citus_shards c
       where c.nodename = n.nodename and c.nodeport = n.nodeport and c.table_name::text like $1) as holds
     from pg_dist_node n where n.shouldhaveshards order by 1`,
    [`${schema}.%`],
  );
  return rows;
}

/** A pool of one connection to a server of the cluster. */
function onServer({ host, port }: { host: string; port: number }): Db {
  const there = new URL(clusterUrl);
  Object.assign(there, { hostname: host, port: String(port) });
  return openPool({ connectionString: there.href }, { max: 1, name: 'peyk test', onError: () => {} });
}

/** Objects beside the schema are dropped first, on every server: their views use tables that the cluster drops. */
export async function removeSchema(schema: string): Promise<void> {
  const coordinator = openPool({ connectionString: clusterUrl }, { max: 1, name: 'peyk test', onError: () => {} });
  try {
    for (const server of await clusterServers(coordinator, schema)) {
      const db = onServer(server);
      const names = `${schema}_here, ${schema}_numbers`;
      await db
        .query(`set citus.enable_ddl_propagation = off; drop schema if exists ${names} cascade`)
        .finally(() => db.end());
    }
    await coordinator.query(`drop schema if exists ${schema} cascade`);
  } finally {
    await coordinator.end();
  }
}

/** `own`: always a separate database, because the test changes its server (tables, sessions, counts of rows read). */
export type PlaceOptions = { own?: boolean };

/** For guarantees that hold wherever the data are: a separate database, or a separate schema on a given cluster. */
export function testPlace({ own = false }: PlaceOptions = {}): Promise<TestPlace> {
  return clusterUrl && !own ? distributedDatabase() : testDatabase();
}

/** A server of the cluster that runs on this machine and can be stopped for a while. */
export async function serverProcess(server: ClusterServer): Promise<{ stop(): Promise<void>; start(): Promise<void> }> {
  const db = onServer(server);
  const { rows } = await db
    .query(
      `select current_setting('data_directory') as folder, (select setting from pg_config() where name = 'BINDIR') as programs`,
    )
    .finally(() => db.end());
  const { folder, programs } = rows[0] as { folder: string; programs: string };
  const { uid, gid } = statSync(folder);
  const control = (...words: string[]) =>
    promisify(execFile)(join(programs, 'pg_ctl'), ['-D', folder, '-w', '-l', join(folder, 'log'), ...words], {
      uid,
      gid,
      cwd: folder,
      // Not ours: its own connections would look there for certificates.
      env: { ...process.env, HOME: folder },
    });
  return {
    stop: async () => void (await control('stop', '-m', 'immediate')),
    start: async () => void (await control('start')),
  };
}
