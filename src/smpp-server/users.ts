// SMPP users of an account: created, listed, changed, given a new password while the old one still works, removed. A change takes
// effect with the next heartbeat; binds end within a second when their user is disabled or removed (live-binds.ts).

import { readNetwork } from '../accounts/address.ts';
import {
  type Db,
  lockBoundedLists,
  type Queryable,
  row,
  rows,
  run,
  runOf,
  sql,
  sqlState,
  type Tx,
  transaction,
} from '../db/db.ts';
import type { SecretKey } from '../sealing/secrets.ts';
import { digestOf, newPassword, newSystemId, systemIdForm } from './login.ts';

export const smppUsersMax = 20;
/** Unlike the API's list an empty one allows nobody: a password of eight characters alone is not enough. */
export const addressesMax = 20;
/** Least and most of each number that may be set. */
export const smppLimits = {
  binds: { least: 1, most: 100 },
  window: { least: 1, most: 1_000 },
  receiptWindow: { least: 1, most: 1_000 },
  rate: { least: 1, most: 100_000 },
} as const;
export const keepHoursMax = 720;
const nameLength = 60;

export type SmppProblem =
  | 'no-such-user'
  | 'too-many-users'
  | 'system-id-taken'
  | 'bad-system-id'
  | 'bad-address'
  | 'too-many-addresses'
  | 'bad-number'
  | 'bad-name';

export class SmppFault extends Error {
  readonly problem: SmppProblem;
  readonly given: string;
  constructor(problem: SmppProblem, given = '') {
    super(given ? `${problem}: ${given}` : problem);
    this.problem = problem;
    this.given = given;
  }
}

export type SmppSettings = {
  name: string;
  addresses: string[];
  enabled: boolean;
  binds: number;
  window: number;
  receiptWindow: number;
  /** Parts per second over all binds; null: no limit. */
  rate: number | null;
  /** Null: transactional. */
  consentList: 'BIREYSEL' | 'TACIR' | null;
  duplicates: boolean;
  inbound: boolean;
};

export type SmppUser = SmppSettings & {
  id: number;
  accountId: number;
  systemId: string;
  createdAt: Date;
  /** The previous password works until then. */
  oldUntil: Date | null;
  lastBindAt: Date | null;
  lastAddress: string | null;
  lastError: string | null;
  lastErrorAt: Date | null;
  refused: number;
  expired: number;
};

// biome-ignore format: a list
const settings: [keyof SmppSettings, column: string][] = [
  ['name', 'name'], ['addresses', 'addresses'], ['enabled', 'enabled'], ['binds', 'binds_max'], ['window', 'window_max'],
  ['receiptWindow', 'receipt_window'], ['rate', 'rate'], ['consentList', 'consent_list'], ['duplicates', 'duplicates'], ['inbound', 'inbound'],
];
const columns = `u.id, u.account_id as "accountId", u.system_id as "systemId",
  ${settings.map(([name, column]) => `u.${column} as "${name}"`)}, u.created_at as "createdAt",
  case when u.old_until > now() then u.old_until end as "oldUntil", u.last_bind_at as "lastBindAt", u.last_address as "lastAddress",
  u.last_error as "lastError", u.last_error_at as "lastErrorAt", u.refused, u.expired`;

const listSql = {
  name: 'smpp users',
  text: `select ${columns} from smpp_users u where u.account_id = $1 order by u.id`,
};
const loginSql = {
  name: 'smpp user login',
  text: `select ${columns}, u.digest, u.old_digest as "oldDigest" from smpp_users u where u.system_id = $1`,
};
const insertSql = sql<{ id: number }>('smpp user insert')`
  insert into smpp_users (account_id, system_id, digest) values ($1, $2, $3) returning id`;
const changeSql = {
  name: 'smpp user change',
  text: `update smpp_users set ${settings.map(([, column], i) => `${column} = $${i + 3}`)} where account_id = $1 and id = $2`,
};
const rotateSql = sql('smpp user rotate')`
  update smpp_users set old_digest = case when $4 > 0 then digest end,
    old_until = case when $4 > 0 then now() + $4 * interval '1 hour' end, digest = $3 where account_id = $1 and id = $2`;
/** Stores the digest of a password under the newest key of ours, at a bind that gave the password. */
export const renewDigest = runOf<[id: number, old: Buffer, fresh: Buffer]>('smpp user renew')`
  update smpp_users set digest = case when digest = $2 then $3 else digest end,
    old_digest = case when old_digest = $2 then $3 else old_digest end where id = $1`;
// A heartbeat ends the binds of a removed user; its orders and parts stay.
const removeSql = sql('smpp user remove')`
  with pending as (delete from smpp_outbox where user_id = $2)
  delete from smpp_users where account_id = $1 and id = $2`;

export type SmppLogin = { systemId: string; password: string };
type NewSmppUser = Partial<SmppSettings> & { systemId?: string | undefined };

export function listSmppUsers(db: Queryable, accountId: number): Promise<SmppUser[]> {
  return rows<SmppUser>(db, listSql, [accountId]);
}

/** For a bind, before the account is known. */
export function findSmppLogin(db: Queryable, systemId: string) {
  return row<SmppUser & { digest: Buffer; oldDigest: Buffer | null }>(db, loginSql, [systemId]);
}

export async function requireSmppUser(db: Queryable, accountId: number, systemId: string): Promise<SmppUser> {
  const found = (await listSmppUsers(db, accountId)).find(one => one.systemId === systemId);
  if (!found) throw new SmppFault('no-such-user', systemId);
  return found;
}

/** Returns the password, which cannot be read later. */
export async function createSmppUser(
  db: Db,
  key: SecretKey,
  accountId: number,
  given: NewSmppUser,
): Promise<SmppLogin> {
  if (given.systemId !== undefined && !systemIdForm.test(given.systemId))
    throw new SmppFault('bad-system-id', given.systemId);
  try {
    return await transaction(db, tx => addSmppUser(tx, key, accountId, given));
  } catch (error) {
    throw sqlState(error) === '23505' ? new SmppFault('system-id-taken', given.systemId) : error;
  }
}

export async function addSmppUser(tx: Tx, key: SecretKey, accountId: number, given: NewSmppUser): Promise<SmppLogin> {
  const { systemId = newSystemId(), ...chosen } = given;
  const password = newPassword();
  await lockBoundedLists(tx, accountId);
  if ((await listSmppUsers(tx, accountId)).length >= smppUsersMax) throw new SmppFault('too-many-users');
  await row(tx, insertSql, [accountId, systemId, digestOf(key, systemId, password)]);
  await changeSmppUser(tx, accountId, systemId, chosen);
  return { systemId, password };
}

/** Omitted settings keep their value. */
export async function changeSmppUser(
  db: Queryable,
  accountId: number,
  systemId: string,
  change: Partial<SmppSettings>,
): Promise<void> {
  const { id, ...known } = await requireSmppUser(db, accountId, systemId);
  const next = checked({ ...known, ...change });
  await run(db, changeSql, [accountId, id, ...settings.map(([name]) => next[name])]);
}

function checked<Given extends SmppSettings>(given: Given): Given {
  if (given.name.length > nameLength) throw new SmppFault('bad-name', given.name);
  for (const [name, { least, most }] of Object.entries(smppLimits)) {
    const value = given[name as keyof typeof smppLimits];
    if (value !== null && !(Number.isInteger(value) && value >= least && value <= most))
      throw new SmppFault('bad-number', name);
  }
  if (given.addresses.length > addressesMax) throw new SmppFault('too-many-addresses');
  const addresses = given.addresses.map(one => {
    const read = readNetwork(one);
    if (!read) throw new SmppFault('bad-address', one);
    return read;
  });
  return { ...given, addresses: [...new Set(addresses)] };
}

/** The old password works for `keepHours` more, and binds made with it continue. */
export async function rotateSmppPassword(
  db: Queryable,
  key: SecretKey,
  accountId: number,
  systemId: string,
  keepHours: number,
): Promise<SmppLogin> {
  const { id } = await requireSmppUser(db, accountId, systemId);
  const password = newPassword();
  await run(db, rotateSql, [accountId, id, digestOf(key, systemId, password), keepHours]);
  return { systemId, password };
}

export async function removeSmppUser(db: Queryable, accountId: number, systemId: string): Promise<void> {
  const { id } = await requireSmppUser(db, accountId, systemId);
  await run(db, removeSql, [accountId, id]);
}
