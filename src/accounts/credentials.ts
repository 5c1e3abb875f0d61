// API key and hash. The hash is HMAC-SHA256 of the key under a random secret; older clients ask for the secret and compute the
// hash themselves. Hash and secret are shown once; the database stores the SHA-256 of the hash.
import { createHmac, randomBytes } from 'node:crypto';
import { type Db, type Queryable, row, run, sql, transaction } from '../db/db.ts';
import { sha256 } from '../sealing/digest.ts';

/** The secret is absent if key and hash were set from outside. */
export type Credentials = { key: string; hash: string; secret?: string };
export type NewCredentials = Required<Credentials>;

const keyForm = /^[\x21-\x7e]{1,128}$/;

export function digestOfHash(hash: string): Buffer {
  return sha256(hash);
}

/** The format of our keys; other keys are not looked up. */
export function isKeyForm(key: unknown): key is string {
  return typeof key === 'string' && keyForm.test(key);
}

/** Key prefix shown in lists. */
export function startOfKey(key: string): string {
  return key.slice(0, 8);
}

export function newCredentials(): NewCredentials {
  const key = randomBytes(16).toString('hex');
  const secret = randomBytes(32).toString('hex');
  return { key, secret, hash: hashOf(secret, key) };
}

export function hashOf(secret: string, key: string): string {
  return createHmac('sha256', secret).update(key).digest('hex');
}

const insertCredentials = sql('credentials insert')`
  with stamped as (update accounts set stamp = stamp + 1 where id = $2)
  insert into credentials (key, account_id, hash_digest, name) values ($1, $2, $3, $4)`;
const disableCredentials = sql('credentials disable')`
  with stamped as (update accounts set stamp = stamp + 1 where id = $1)
  update credentials set disabled_at = now(), disabled_reason = $2
  where account_id = $1 and (disabled_at is null or disabled_at > now())`;
// Prefers a key without an end.
const activeKey = sql<{ key: string }>('credentials active key')`
  select key from credentials where account_id = $1 and (disabled_at is null or disabled_at > now())
  order by disabled_at desc nulls first, created_at desc limit 1`;

export async function issueCredentials<Given extends Credentials = NewCredentials>(
  db: Queryable,
  accountId: number,
  given: Given,
  name = '',
): Promise<Given> {
  if (!isKeyForm(given.key)) throw new Error('a key is 1 to 128 printable characters without blanks');
  await run(db, insertCredentials, [given.key, accountId, digestOfHash(given.hash), name]);
  return given;
}

// Locks the row in a statement of its own: a statement that waits for the lock would still see the old credentials.
const lockAccount = sql<{ id: number }>('credentials lock')`select id from accounts where id = $1 for no key update`;

/** Serialises changes of an account's keys. */
export function withKeysLocked<Result>(db: Db, accountId: number, work: (tx: Queryable) => Promise<Result>) {
  return transaction(db, async tx => {
    await row(tx, lockAccount, [accountId]);
    return work(tx);
  });
}

/** Issues a new key and hash. All old keys stop at once and stay on record, so that the owner can see why a call was refused. */
export function rotateCredentials(db: Db, accountId: number, reason = 'rotated'): Promise<NewCredentials> {
  return withKeysLocked(db, accountId, async tx => {
    await run(tx, disableCredentials, [accountId, reason]);
    return issueCredentials(tx, accountId, newCredentials());
  });
}

export async function findActiveKey(db: Queryable, accountId: number): Promise<string | undefined> {
  return (await row(db, activeKey, [accountId]))?.key;
}
