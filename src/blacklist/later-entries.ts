// Re-applies blacklist entries recorded after the restore point (cli/later-refusals.ts).
import { type Queryable, rowsOf, run, sql } from '../db/db.ts';

/** `at`: as the database writes it, to the microsecond. */
export type LaterEntry = { accountId: number; number: number; source: string; at: string };

export const entriesSince = rowsOf<LaterEntry, [moment: Date]>('later blacklist entries')`
  select account_id as "accountId", number, source, added_at::text as at from blacklist_entries where added_at > $1 order by added_at`;
// Only of accounts that existed at the restore point.
const enterSql = sql('later blacklist entries enter')`
  insert into blacklist_entries (account_id, number, source, added_at)
  select u.* from unnest($1::bigint[], $2::bigint[], $3::text[], $4::timestamptz[]) u(account_id, number, source, added_at)
    join accounts a on a.id = u.account_id
  on conflict (account_id, number) do nothing`;

/** Returns how many were missing. */
export function enterAgain(db: Queryable, entries: LaterEntry[]): Promise<number> {
  const columns = (['accountId', 'number', 'source', 'at'] as const).map(name => entries.map(one => one[name]));
  return run(db, enterSql, columns);
}
