// Server settings without which a crash loses orders that were answered with 200.
import { type Queryable, rows, sql } from './db.ts';

const offSql = sql<{ name: string }>('settings that forget')`
  select s.name from unnest(array['fsync', 'synchronous_commit', 'full_page_writes']) with ordinality as o (name, place)
  join pg_settings s on s.name = o.name where s.setting = 'off' order by o.place`;

export async function forgetfulSettings(db: Queryable): Promise<string[]> {
  return (await rows(db, offSql)).map(one => one.name);
}
