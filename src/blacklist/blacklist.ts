// Numbers an account may not write to. Adding a number twice succeeds; removing an absent number does not.
import { type Queryable, rows, run, runOf, sql } from '../db/db.ts';

export type BlacklistSource = 'api' | 'panel' | 'optout' | 'import' | 'operator';
type TimeRange = { start: Date | null; end: Date | null };

export const addToBlacklist = runOf<[accountId: number, number: number, source: BlacklistSource]>('blacklist add')`
  insert into blacklist_entries (account_id, number, source) values ($1, $2, $3) on conflict (account_id, number) do nothing`;
const removeSql = sql('blacklist remove')`delete from blacklist_entries where account_id = $1 and number = $2`;
// One statement, so that count and page belong to the same moment.
const pageSql = sql<{ count: number; number: number | null }>('blacklist page')`
  select c.count, p.number from (
    select count(*) as count from blacklist_entries where account_id = $1
      and added_at >= coalesce($2::timestamptz, '-infinity') and added_at < coalesce($3::timestamptz, 'infinity')) c
  left join (
    select number, added_at from blacklist_entries where account_id = $1
      and added_at >= coalesce($2::timestamptz, '-infinity') and added_at < coalesce($3::timestamptz, 'infinity')
    order by added_at, number limit $4 offset $5) p on true
  order by p.added_at, p.number`;
/** More entries than any account has. */
const offsetMax = 2 ** 31;

/** Returns false if the number was not on the list. */
export async function removeFromBlacklist(db: Queryable, accountId: number, number: number): Promise<boolean> {
  return (await run(db, removeSql, [accountId, number])) > 0;
}

/** Oldest first; `range.end` is exclusive here, the caller includes the whole last second. */
export async function blacklistPage(
  db: Queryable,
  accountId: number,
  range: TimeRange,
  page: number,
  rowCount: number,
): Promise<{ count: number; numbers: number[] }> {
  const offset = Math.min((page - 1) * rowCount, offsetMax);
  const found = await rows(db, pageSql, [accountId, range.start, range.end, rowCount, offset]);
  return { count: found[0]!.count, numbers: found.flatMap(one => one.number ?? []) };
}
