// A distributed schema of a Citus cluster in place of a database. PEYK_TEST_CITUS_URL is the address of its coordinator. The
// cluster needs two servers that take tables, and wal_level = logical on all of them. Others may use it meanwhile.
import { randomBytes } from 'node:crypto';
import { connect, createServer, type Socket } from 'node:net';
import { distributeSchema } from '../../../src/db/citus/distribute.ts';
import { type Db, openPool } from '../../../src/db/db.ts';
import { migrate } from '../../../src/db/migrate.ts';
import { silentLog } from '../../../src/log.ts';
import { atEndOfFile } from '../run/clear-away.ts';
import { wait } from '../run/wait.ts';
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

/** Moved by the cluster, which moves nothing to a server that still has what an earlier move left there. */
export async function moveSchema(coordinator: Db, schema: string, { host, port }: ClusterServer): Promise<void> {
  await cleared(coordinator, schema);
  const move = 'select citus_schema_move($1::text::regnamespace, $2, $3::int)';
  await coordinator.query(move, [schema, host, port]);
}

export function cleared(coordinator: Db, schema: string): Promise<boolean> {
  const left = `select from pg_dist_cleanup where object_name like $1 || '.%'`;
  return wait(
    'the tables of an earlier move to be dropped',
    async () => (await coordinator.query(left, [schema])).rowCount === 0,
  );
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

type Way = { open(): Promise<void>; close(): Promise<void> };

/**
 * Ways to the servers of the cluster over addresses of this machine (127.0.0.2 and on, the ports as they are), so that one of them is away for us
 * and for nobody else. `hosts`: for `citus_hosts` of an address.
 */
export async function waysToServers(coordinator: Db): Promise<{ hosts: string; to(server: ClusterServer): Way }> {
  const { rows } = await coordinator.query<{ host: string; port: number }>(
    `select nodename as host, nodeport as port from pg_dist_node where noderole = 'primary'`,
  );
  const names = [...new Set(rows.map(one => one.host))];
  const here = (host: string) => `127.0.0.${names.indexOf(host) + 2}`;
  const ways = new Map<string, Way>();
  for (const { host, port } of rows) {
    const way = wayTo(host, port, here(host));
    await way.open();
    atEndOfFile(way.close);
    ways.set(`${host}:${port}`, way);
  }
  return {
    hosts: names.map(name => `${name}:${here(name)}`).join(','),
    to: ({ host, port }) => ways.get(`${host}:${port}`)!,
  };
}

function wayTo(host: string, port: number, here: string): Way {
  const sockets = new Set<Socket>();
  const server = createServer(client => {
    const pair = [client, connect(port, host)] as const;
    for (const [from, to] of [pair, pair.toReversed()] as [Socket, Socket][]) {
      sockets.add(from);
      from.on('error', () => {}).on('close', () => sockets.delete(from) && to.destroy());
      from.pipe(to);
    }
  });
  return {
    open: () => new Promise(resolve => server.listen(port, here, resolve)),
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        for (const one of sockets) one.destroy();
      }),
  };
}
