// Several named API keys per account: create, rotate with a grace period for the old key, rename, end, delete.
// `rotateCredentials` replaces all keys at once.
import { type Db, type Queryable, row, rowsOf, run, sql } from '../db/db.ts';
import { issueCredentials, type NewCredentials, newCredentials, withKeysLocked } from './credentials.ts';
import { type KeyLimits, setKeyLimits } from './key-limits.ts';

/** Limit of active keys; a program that creates a key at every start would reach it. */
export const keysMax = 20;

export type KeyProblem = 'no-such-key' | 'key-ended' | 'key-active' | 'too-many-keys';
export class KeyFault extends Error {
  readonly problem: KeyProblem;
  constructor(problem: KeyProblem) {
    super(problem);
    this.problem = problem;
  }
}

export type ApiKey = {
  key: string;
  name: string;
  createdAt: Date;
  /** A time in the future: the key works until then. */
  disabledAt: Date | null;
  ended: boolean;
  reason: string | null;
  lastAt: Date | null;
  address: string | null;
  operation: string | null;
} & KeyLimits;

// Valid keys first, those without an end before the others; then ended keys, the last ended first.
export const listKeys = rowsOf<ApiKey, [accountId: number]>('api keys')`
  select c.key, c.name, c.created_at as "createdAt", c.disabled_at as "disabledAt", c.disabled_reason as reason,
    coalesce(c.disabled_at <= now(), false) as ended, c.scopes, c.recipients_max as "recipientsMax", c.daily_max as "dailyMax", u.last_at as "lastAt", u.address, u.operation
  from credentials c left join credential_uses u on u.account_id = c.account_id and u.key = c.key
  where c.account_id = $1 order by ended, c.disabled_at desc nulls first, c.created_at desc limit 100`;
const findSql = sql<{ name: string; disabledAt: Date | null; ended: boolean } & KeyLimits>('api key find')`
  select name, disabled_at as "disabledAt", coalesce(disabled_at <= now(), false) as ended, scopes,
    recipients_max as "recipientsMax", daily_max as "dailyMax" from credentials
  where account_id = $1 and key = $2`;
const countSql = sql<{ count: number }>('api keys active')`
  select count(*) as count from credentials where account_id = $1 and (disabled_at is null or disabled_at > now())`;
const endSql = sql('api key end')`
  with stamped as (update accounts set stamp = stamp + 1 where id = $1)
  update credentials set disabled_at = now() + $4 * interval '1 hour', disabled_reason = $3 where account_id = $1 and key = $2`;
const renameSql = sql('api key rename')`
  with stamped as (update accounts set stamp = stamp + 1 where id = $1)
  update credentials set name = $3 where account_id = $1 and key = $2`;
const deleteSql = sql('api key delete')`
  with stamped as (update accounts set stamp = stamp + 1 where id = $1),
    uses as (delete from credential_uses where account_id = $1 and key = $2)
  delete from credentials where account_id = $1 and key = $2`;

export function createKey(db: Db, accountId: number, name: string, limits?: KeyLimits): Promise<NewCredentials> {
  return withKeysLocked(db, accountId, async tx => {
    await requireRoom(tx, accountId);
    const fresh = await issueCredentials(tx, accountId, newCredentials(), name);
    if (limits) await setKeyLimits(tx, accountId, fresh.key, limits);
    return fresh;
  });
}

/** The limits apply from the next call on. */
export function limitKey(db: Db, accountId: number, key: string, change: Partial<KeyLimits>): Promise<void> {
  return withKeysLocked(db, accountId, async tx => {
    const { scopes, recipientsMax, dailyMax } = await requireKey(tx, accountId, key);
    await setKeyLimits(tx, accountId, key, { scopes, recipientsMax, dailyMax, ...change });
  });
}

/** Issues a new pair under the same name; the old key works for `keepHours` more. Other keys are unchanged. */
export function rotateKey(db: Db, accountId: number, key: string, keepHours: number, reason: string) {
  return withKeysLocked(db, accountId, async tx => {
    const known = await requireKey(tx, accountId, key);
    if (known.disabledAt) throw new KeyFault('key-ended');
    if (keepHours > 0) await requireRoom(tx, accountId);
    await run(tx, endSql, [accountId, key, reason, keepHours]);
    const fresh = await issueCredentials(tx, accountId, newCredentials(), known.name);
    await setKeyLimits(tx, accountId, fresh.key, known);
    return fresh;
  });
}

/** Ends the key at once, even if it was to end later. */
export function endKey(db: Db, accountId: number, key: string, reason: string): Promise<void> {
  return withKeysLocked(db, accountId, async tx => {
    if ((await requireKey(tx, accountId, key)).ended) throw new KeyFault('key-ended');
    await run(tx, endSql, [accountId, key, reason, 0]);
  });
}

export function renameKey(db: Db, accountId: number, key: string, name: string): Promise<void> {
  return withKeysLocked(db, accountId, async tx => {
    await requireKey(tx, accountId, key);
    await run(tx, renameSql, [accountId, key, name]);
  });
}

/** Deletes a key that has ended; afterwards its calls cannot be attributed any more. */
export function deleteKey(db: Db, accountId: number, key: string): Promise<void> {
  return withKeysLocked(db, accountId, async tx => {
    if (!(await requireKey(tx, accountId, key)).ended) throw new KeyFault('key-active');
    await run(tx, deleteSql, [accountId, key]);
  });
}

async function requireKey(tx: Queryable, accountId: number, key: string) {
  const known = await row(tx, findSql, [accountId, key]);
  if (!known) throw new KeyFault('no-such-key');
  return known;
}

async function requireRoom(tx: Queryable, accountId: number): Promise<void> {
  if ((await row(tx, countSql, [accountId]))!.count >= keysMax) throw new KeyFault('too-many-keys');
}
