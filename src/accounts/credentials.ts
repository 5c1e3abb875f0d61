// API key and hash: random, issued ready-made. The hash is shown once and stored only as its SHA-256.
import { randomBytes } from 'node:crypto';
import { type Db, type Queryable, row, run, sql, transaction } from '../db/db.ts';
import { sha256 } from '../digest.ts';

export type Credentials = { key: string; hash: string };

const keyForm = /^[\x21-\x7e]{1,128}$/;

export function digestOfHash(hash: string): Buffer {
  return sha256(hash);
}

/** A key that could be ours; anything else is not even looked up. */
export function isKeyForm(key: unknown): key is string {
  return typeof key === 'string' && keyForm.test(key);
}

export function newCredentials(): Credentials {
  return { key: randomBytes(16).toString('hex'), hash: randomBytes(32).toString('hex') };
}

const insertCredentials = sql('credentials insert')`
  with stamped as (update accounts set stamp = stamp + 1 where id = $2)
  insert into credentials (key, account_id, hash_digest) values ($1, $2, $3)`;
const disableCredentials = sql('credentials disable')`
  with stamped as (update accounts set stamp = stamp + 1 where id = $1)
  update credentials set disabled_at = now(), disabled_reason = $2 where account_id = $1 and disabled_at is null`;
const activeKey = sql<{ key: string }>('credentials active key')`
  select key from credentials where account_id = $1 and disabled_at is null order by created_at desc limit 1`;

export async function issueCredentials(
  db: Queryable,
  accountId: number,
  given = newCredentials(),
): Promise<Credentials> {
  if (!isKeyForm(given.key)) throw new Error('a key is 1 to 128 printable characters without blanks');
  await run(db, insertCredentials, [given.key, accountId, digestOfHash(given.hash)]);
  return given;
}

/** New key and hash; the old ones stop at once and stay on record, so that the owner can be told why. */
export function rotateCredentials(db: Db, accountId: number, reason = 'rotated'): Promise<Credentials> {
  return transaction(db, async tx => {
    await run(tx, disableCredentials, [accountId, reason]);
    return issueCredentials(tx, accountId);
  });
}

export async function findActiveKey(db: Queryable, accountId: number): Promise<string | undefined> {
  return (await row(db, activeKey, [accountId]))?.key;
}
