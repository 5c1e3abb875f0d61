// Numbers an account may not write to. Adding is idempotent; removing what is not there is not.
import { type Queryable, row, rows, run, sql } from '../db/db.ts';

export type BlacklistSource = 'api' | 'panel' | 'optout' | 'import' | 'operator';
export type TimeRange = { start: Date | null; end: Date | null };

const addSql = sql('blacklist add')`
  insert into blacklist_entries (account_id, number, source) values ($1, $2, $3) on conflict (account_id, number) do nothing`;
const removeSql = sql('blacklist remove')`delete from blacklist_entries where account_id = $1 and number = $2`;
const countSql = sql<{ count: number }>('blacklist count')`
  select count(*) as count from blacklist_entries where account_id = $1
    and added_at >= coalesce($2::timestamptz, '-infinity') and added_at < coalesce($3::timestamptz, 'infinity')`;
const pageSql = sql<{ number: number }>('blacklist page')`
  select number from blacklist_entries where account_id = $1
    and added_at >= coalesce($2::timestamptz, '-infinity') and added_at < coalesce($3::timestamptz, 'infinity')
  order by added_at, number limit $4 offset $5`;

export async function addToBlacklist(
  db: Queryable,
  accountId: number,
  number: number,
  source: BlacklistSource,
): Promise<void> {
  await run(db, addSql, [accountId, number, source]);
}

/** false when the number was not on the list. */
export async function removeFromBlacklist(db: Queryable, accountId: number, number: number): Promise<boolean> {
  return (await run(db, removeSql, [accountId, number])) > 0;
}

/** Oldest first; `range.end` is exclusive here, the edge makes the whole second count. */
export async function blacklistPage(
  db: Queryable,
  accountId: number,
  range: TimeRange,
  page: number,
  rowCount: number,
): Promise<{ count: number; numbers: number[] }> {
  const total = await row(db, countSql, [accountId, range.start, range.end]);
  const offset = (page - 1) * rowCount;
  const found =
    offset < total!.count ? await rows(db, pageSql, [accountId, range.start, range.end, rowCount, offset]) : [];
  return { count: total!.count, numbers: found.map(one => one.number) };
}
