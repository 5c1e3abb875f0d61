// One of the two databases of a move, and statements whose text is made for one account: they are not prepared.
import type { Connection, Db, Queryable } from '../../db/db.ts';

export type Side = { cell: number; db: Db; connection: Connection };

export async function query<Row>(db: Queryable, text: string, values: unknown[] = []): Promise<Row[]> {
  return (await db.query(text, values)).rows as Row[];
}

/** Publication, subscription and triggers of an account's move; each database has its own. */
export function moveName(account: number): string {
  return `peyk_move_${account}`;
}

/** As the server's own client library takes it. */
export function libpqAddress(connection: Connection): string {
  if ('connectionString' in connection) return connection.connectionString;
  const { host, port, user, database } = connection;
  return `host=${word(host)} port=${port} user=${word(user)} dbname=${word(database)}`;
}

function word(value: string): string {
  return `'${value.replace(/[\\']/g, '\\$&')}'`;
}

export function literal(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
