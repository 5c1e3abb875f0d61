// The login of older clients (`username` and `password` instead of key and hash), enabled by the account's owner. The password
// is generated and shown once. It is random, so no slow hash function is needed and a call costs no more than one with a key.
import { randomInt } from 'node:crypto';
import { type Queryable, rowOf, run, sql, sqlState } from '../db/db.ts';
import { digestOfHash } from './credentials.ts';
import { BadSetting } from './settings.ts';

export type OldLogin = { username: string; password: string };

const usernameForm = /^[A-Za-z0-9._@+-]{3,64}$/;
// Letters and digits that are safe in every form and settings file: 24 of 57 give 140 bits.
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';
const passwordLength = 24;

const putSql = sql('old login put')`
  with stamped as (update accounts set stamp = stamp + 1 where id = $1)
  insert into old_logins (account_id, username, password_digest) values ($1, $2, $3)
  on conflict (account_id) do update set username = excluded.username, password_digest = excluded.password_digest,
    created_at = now(), disabled_at = null`;
const offSql = sql('old login off')`
  with stamped as (update accounts set stamp = stamp + 1 where id = $1)
  update old_logins set disabled_at = now() where account_id = $1 and disabled_at is null`;
export const findOldLogin = rowOf<{ username: string; createdAt: Date }, [accountId: number]>('old login find')`
  select username, created_at as "createdAt" from old_logins where account_id = $1 and disabled_at is null`;

/** A user name, `on` for the account's number, or null for off. */
export function readOldLogin(text: string): string | null {
  if (text === 'off') return null;
  if (!usernameForm.test(text) && text !== 'on')
    throw new BadSetting(`"${text}" is not on, off or a user name of 3 to 64 letters, digits and . _ @ + -`);
  return text;
}

/** Issues a new password or none; the previous one stops working. */
export async function setOldLogin(db: Queryable, accountId: number, wanted: string | null): Promise<OldLogin | null> {
  if (wanted === null) {
    await run(db, offSql, [accountId]);
    return null;
  }
  const username = wanted === 'on' ? String(accountId) : wanted;
  const password = Array.from({ length: passwordLength }, () => letters[randomInt(letters.length)]).join('');
  await run(db, putSql, [accountId, username, digestOfHash(password)]).catch(error => {
    throw sqlState(error) === '23505' ? new BadSetting(`the user name "${username}" is taken`) : error;
  });
  return { username, password };
}
