// A database of its own for a test file: a copy of the migrated template (about 20 ms), dropped when closed.
import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { type Connection, type Db, openClient, openPool } from '../../../src/db/db.ts';
import type { EmbeddedConnection } from '../../../src/db/embedded/layout.ts';
import { ask } from '../run/ask-run.ts';

export type TestPlace = { url: string; connection: Connection; pool: Db; close(): Promise<void> };
export type TestDatabase = TestPlace & { connection: EmbeddedConnection };

const poolConnections = 10;

/** `empty`: for a program that creates its schema itself. `schema`: the schema that the pool and the address use. */
export async function testDatabase({ empty = false, schema = '' } = {}): Promise<TestDatabase> {
  const socket = inject('databaseSocket');
  const { connection: template } = await ask<{ connection: EmbeddedConnection }>(socket);
  const source = empty ? 'template0' : `${template.database} strategy file_copy`;
  const name = `test_${randomBytes(6).toString('hex')}`;
  await administer(template, `create database ${name} template ${source}`);
  const connection = { ...template, database: name };
  const plain = `postgresql://${connection.user}@localhost:${connection.port}/${name}?host=${encodeURIComponent(connection.host)}`;
  const url = schema ? `${plain}&schema=${schema}` : plain;
  const looking = schema ? { connectionString: url } : connection;
  return placeAt(url, connection, looking, () => administer(template, `drop database ${name} with (force)`));
}

/** `looking`: the connection of the pool; `remove`: called when nothing uses it any more. */
export function placeAt<Way extends Connection>(
  url: string,
  connection: Way,
  looking: Connection,
  remove: () => Promise<void>,
): TestPlace & { connection: Way } {
  const pool = openPool(looking, { max: poolConnections, name: 'peyk test', onError: () => {} });
  return {
    url,
    connection,
    pool,
    async close() {
      if (!pool.ended) await pool.end();
      await remove();
    },
  };
}

async function administer(template: EmbeddedConnection, sql: string): Promise<void> {
  const client = await openClient({ ...template, database: 'postgres' }, { name: 'peyk test', onError: () => {} });
  await client.query(sql).finally(() => client.end());
}

/** Some tests change a database in ways that a cluster does not allow. */
export function ofThisMachine(connection: Connection): EmbeddedConnection {
  if ('host' in connection) return connection;
  throw new Error('this needs a database of its own on this machine, not a schema of a cluster');
}
