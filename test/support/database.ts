// A database of its own for a test file: a copy of the migrated template (about 20 ms), dropped when closed.
import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { type Db, openClient, openPool } from '../../src/db/db.ts';
import type { EmbeddedConnection } from '../../src/db/embedded/layout.ts';
import { ask } from './ask.ts';

export type TestDatabase = { url: string; connection: EmbeddedConnection; pool: Db; close(): Promise<void> };

const poolConnections = 10;

/** `empty`: for a program that is to make its schema itself. */
export async function testDatabase({ empty = false } = {}): Promise<TestDatabase> {
  const template = await templateConnection();
  const source = empty ? 'template0' : `${template.database} strategy file_copy`;
  const name = `test_${randomBytes(6).toString('hex')}`;
  await administer(template, `create database ${name} template ${source}`);
  const connection = { ...template, database: name };
  const pool = openPool(connection, { max: poolConnections, name: 'peyk test', onError: () => {} });
  return {
    url: `postgresql://${connection.user}@localhost:${connection.port}/${name}?host=${encodeURIComponent(connection.host)}`,
    connection,
    pool,
    async close() {
      if (!pool.ended) await pool.end();
      await administer(template, `drop database ${name} with (force)`);
    },
  };
}

async function templateConnection(): Promise<EmbeddedConnection> {
  return (await ask<{ connection: EmbeddedConnection }>(inject('databaseDoor'))).connection;
}

async function administer(template: EmbeddedConnection, sql: string): Promise<void> {
  const client = await openClient({ ...template, database: 'postgres' }, { name: 'peyk test', onError: () => {} });
  await client.query(sql).finally(() => client.end());
}
