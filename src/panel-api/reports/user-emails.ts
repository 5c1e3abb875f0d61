// E-mail addresses of people by their ids.
import { type Queryable, rows, sql } from '../../db/db.ts';

const emailsSql = sql<{ id: number; email: string }>('panel user emails')`
  select id, email from users where id = any ($1::bigint[])`;

export async function emailsOf(db: Queryable, ids: number[]): Promise<Map<number, string>> {
  return new Map((await rows(db, emailsSql, [ids])).map(one => [one.id, one.email]));
}
