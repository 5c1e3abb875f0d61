// Settings of the server without which a crash forgets what was answered 200.
import { type Queryable, rows, sql } from './db.ts';

const offSql = sql<{ name: string }>('settings that forget')`
  select name from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes') and setting = 'off' order by name`;

export async function forgetfulSettings(db: Queryable): Promise<string[]> {
  return (await rows(db, offSql)).map(one => one.name);
}
