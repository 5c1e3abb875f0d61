// Limits of an API key: the operations it may call, the recipients of a call, and the messages of a Turkish day. So a key of a
// reading program or an assistant need not be able to send to everybody.
import { type Db, type Queryable, row, run, sql } from '../db/db.ts';

export const keyScopes = ['read', 'send', 'verify', 'manage'] as const;
export type KeyScope = (typeof keyScopes)[number];

/** null means no limit for this key. */
export type KeyLimits = { scopes: KeyScope[] | null; recipientsMax: number | null; dailyMax: number | null };

export const limitMost = 1_000_000_000;

// Any of these scopes allows the operation. `verify` checks without sending and without reading whom the account wrote to.
// Operations that are not listed only read, unless their name says that they change something.
const scopes = new Map<string, readonly KeyScope[]>([
  ['send-sms', ['send']],
  ['preview-sms', ['send', 'verify']],
  ['cancel-order', ['send']],
  ['get-balance', ['read', 'verify']],
  ['get-sender', ['read', 'verify']],
  ['iys-check', ['read', 'verify']],
  ['add-blacklist', ['manage']],
  ['delete-blacklist', ['manage']],
  ['iys-register', ['manage']],
]);

const changing = /^(add|edit|delete|remove|create|set)-/;

function scopesOf(operation: string): readonly KeyScope[] {
  return scopes.get(operation) ?? [changing.test(operation) ? 'manage' : 'read'];
}

export function mayCall({ scopes: allowed }: KeyLimits, operation: string): boolean {
  return allowed === null || scopesOf(operation).some(one => allowed.includes(one));
}

const setSql = sql('key limits set')`
  with stamped as (update accounts set stamp = stamp + 1 where id = $1)
  update credentials set scopes = $3, recipients_max = $4, daily_max = $5 where account_id = $1 and key = $2`;
// One statement, so that concurrent calls together never exceed the limit.
const takeSql = sql<{ used: number }>('key day take')`
  update credentials set used_on = (now() at time zone 'Europe/Istanbul')::date,
    used_messages = $3 + case when used_on = (now() at time zone 'Europe/Istanbul')::date then used_messages else 0 end
  where account_id = $1 and key = $2
    and $3 + case when used_on = (now() at time zone 'Europe/Istanbul')::date then used_messages else 0 end <= coalesce(daily_max, $4)
  returning used_messages as used`;
const giveBackSql = sql('key day give back')`
  update credentials set used_messages = greatest(0, used_messages - $3)
  where account_id = $1 and key = $2 and used_on = (now() at time zone 'Europe/Istanbul')::date`;

export async function setKeyLimits(db: Queryable, accountId: number, key: string, limits: KeyLimits): Promise<void> {
  await run(db, setSql, [accountId, key, limits.scopes, limits.recipientsMax, limits.dailyMax]);
}

/** Returns false if the day's limit has no room for this many. `most`: where the key itself names none. */
export async function takeOfDay(
  db: Db,
  accountId: number,
  key: string,
  messages: number,
  most: number,
): Promise<boolean> {
  return (await row(db, takeSql, [accountId, key, messages, most])) !== undefined;
}

/** Gives back the count of messages that were refused after all. */
export async function giveBackOfDay(db: Db, accountId: number, key: string, messages: number): Promise<void> {
  await run(db, giveBackSql, [accountId, key, messages]);
}
