// Adds or removes many blacklist entries in one statement.
import { int8s } from '../db/arrays.ts';
import { type Queryable, run, sql } from '../db/db.ts';
import type { BlacklistSource } from './blacklist.ts';

const addSql = sql('blacklist add many')`
  insert into blacklist_entries (account_id, number, source, note)
  select $1, number, $3, $4 from unnest($2::bigint[]) number on conflict (account_id, number) do nothing`;
const removeSql = sql('blacklist remove many')`
  delete from blacklist_entries where account_id = $1 and number = any ($2::bigint[])`;

/** Returns how many were new. */
export function addManyToBlacklist(
  db: Queryable,
  accountId: number,
  numbers: Iterable<number>,
  source: BlacklistSource,
  note: string | null,
): Promise<number> {
  return run(db, addSql, [accountId, int8s([...numbers]), source, note]);
}

/** Returns how many were removed. */
export function removeManyFromBlacklist(db: Queryable, accountId: number, numbers: number[]): Promise<number> {
  return run(db, removeSql, [accountId, int8s(numbers)]);
}
