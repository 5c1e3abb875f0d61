// Finds the account of a key and hash. The wire has one answer for every failure (401); the owner sees the cause. Accounts are
// read anew for each request, many requests in one statement, so a change counts at once everywhere. Only a caller that
// verifies the account later may use a cached one (`mayBeOld`): single orders do, in the statement that stores them.
import { timingSafeEqual } from 'node:crypto';
import { coalesce } from '../db/coalesce.ts';
import { type Db, rows, type Sql } from '../db/db.ts';
import { now } from '../time/clock.ts';
import { type Account, AccountLeaving, accountColumns } from './account.ts';
import { addressAllowed } from './address.ts';
import { digestOfHash, isKeyForm } from './credentials.ts';
import type { KeyLimits } from './key-limits.ts';

/** `old-login`: user name and password instead of key and hash. */
export type Way = 'key' | 'old-login';

type AuthCause =
  | 'no-credentials'
  | 'unknown-key'
  | 'disabled-key'
  | 'wrong-hash'
  | 'hash-with-blanks'
  | 'suspended'
  | 'api-off'
  | 'address-not-listed'
  | 'key-scope'
  | 'old-login-off'
  | 'wrong-old-password';

/** `key` is the key that was used; null for the login of older clients. `cell` as in `Account`. */
export type AuthResult =
  | { ok: true; account: Account; key: string | null; limits?: KeyLimits }
  | { ok: false; cause: AuthCause; accountId: number | null; key?: string; cell?: number };

/** `isDisabled`: whether the key had ended when it was read, by the database's clock. */
type Keyed = Account & {
  key: string;
  hashDigest: Buffer;
  disabledAt: Date | null;
  isDisabled: boolean;
} & Partial<KeyLimits>;

const statements: Record<Way, Sql<Keyed>> = {
  key: {
    name: 'accounts by keys',
    text: `select c.key, c.hash_digest as "hashDigest", c.disabled_at as "disabledAt",
      coalesce(c.disabled_at <= now(), false) as "isDisabled", c.scopes, c.recipients_max as "recipientsMax",
      c.daily_max as "dailyMax", ${accountColumns}
    from credentials c join accounts a on a.id = c.account_id where c.key = any ($1)`,
  },
  'old-login': {
    name: 'accounts by user names',
    text: `select l.username as key, l.password_digest as "hashDigest", l.disabled_at as "disabledAt",
      coalesce(l.disabled_at <= now(), false) as "isDisabled", ${accountColumns}
    from old_logins l join accounts a on a.id = l.account_id where l.username = any ($1)`,
  },
};

// Names of causes that differ in the owner's log.
const oldLoginCauses: Partial<Record<AuthCause, AuthCause>> = {
  'disabled-key': 'old-login-off',
  'wrong-hash': 'wrong-old-password',
  'hash-with-blanks': 'wrong-old-password',
};

export type Authenticate = (
  key: unknown,
  hash: unknown,
  address: string,
  mayBeOld?: boolean,
  way?: Way,
) => Promise<AuthResult>;

const rememberedMax = 10_000;

export function createAuthenticate(db: Db): Authenticate {
  const ways = { key: createWay(db, statements.key), 'old-login': createWay(db, statements['old-login']) };
  return async (key, hash, address, mayBeOld = false, way = 'key') => {
    const result = await ways[way](key, hash, address, mayBeOld);
    if (way === 'key') return result;
    if (result.ok) return { ...result, key: null };
    const { cause, accountId } = result;
    return { ok: false, cause: oldLoginCauses[cause] ?? cause, accountId };
  };
}

function createWay(db: Db, statement: Sql<Keyed>) {
  const find = coalesce<string, Keyed>(async keys => {
    const found = await rows(db, statement, [keys]);
    return new Map(found.map(one => [one.key, one]));
  });
  const remembered = new Map<string, Keyed>();
  return async (key: unknown, hash: unknown, address: string, mayBeOld: boolean): Promise<AuthResult> => {
    if (typeof key !== 'string' || typeof hash !== 'string')
      return { ok: false, cause: 'no-credentials', accountId: null };
    const old = mayBeOld ? remembered.get(key) : undefined;
    if (old && !refusalCause(old, hash, address)) return passed(old, key);
    const known = isKeyForm(key) ? await find(key) : undefined;
    if (!known) {
      remembered.delete(key);
      // Does the same work as for a known key, so that timing does not reveal whether a key exists.
      timingSafeEqual(digestOfHash(hash), digestOfHash(''));
      return { ok: false, cause: 'unknown-key', accountId: null };
    }
    if (known.isLeaving) throw new AccountLeaving();
    if (remembered.size >= rememberedMax) remembered.clear();
    remembered.set(key, { ...known, remembered: true });
    const cause = refusalCause(known, hash, address);
    return cause ? { ok: false, cause, accountId: known.id, key } : passed(known, key);
  };
}

function passed(known: Keyed, key: string): AuthResult {
  const { scopes = null, recipientsMax = null, dailyMax = null } = known;
  const isLimited = scopes !== null || recipientsMax !== null || dailyMax !== null;
  return { ok: true, account: known, key, ...(isLimited ? { limits: { scopes, recipientsMax, dailyMax } } : {}) };
}

function refusalCause(known: Keyed, hash: string, address: string): AuthCause | null {
  if (!timingSafeEqual(digestOfHash(hash), known.hashDigest)) {
    const trimmed = hash.trim();
    if (trimmed !== hash && timingSafeEqual(digestOfHash(trimmed), known.hashDigest)) return 'hash-with-blanks';
    return 'wrong-hash';
  }
  // The end may lie ahead, because a rotated key works for its grace period. Our clock may be behind by the time a query takes,
  // and cached accounts expire while the key is ending.
  if (known.isDisabled || (known.disabledAt && known.disabledAt <= now())) return 'disabled-key';
  if (known.status !== 'active') return 'suspended';
  if (!known.apiEnabled) return 'api-off';
  if (!addressAllowed(known.apiIps, address)) return 'address-not-listed';
  return null;
}
