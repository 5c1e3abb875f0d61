// SMPP users of an account: made, listed, changed, given a new password while the old one still works, removed. A change counts
// for the next bind; binds there are end within a second when their user is turned off or removed (live-binds.ts).
import {
  type Db,
  lockBoundedLists,
  type Queryable,
  row,
  rows,
  run,
  sql,
  sqlState,
  type Tx,
  transaction,
} from '../db/db.ts';
import type { SecretKey } from '../sealing/secrets.ts';
import { addressesMax, readNetwork } from './addresses.ts';
import { digestOf, newPassword, newSystemId, systemIdForm } from './login.ts';

export const smppUsersMax = 20;
/** Least and most of each figure that somebody may set. */
export const smppFigures = {
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
  | 'bad-figure'
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
  /** null: transactional. */
  consentList: 'BIREYSEL' | 'TACIR' | null;
  duplicates: boolean;
  inbound: boolean;
};

export type SmppUser = SmppSettings & {
  id: number;
  accountId: number;
  systemId: string;
  createdAt: Date;
  /** Until when the password before the last rotation still works. */
  oldUntil: Date | null;
  lastBindAt: Date | null;
  lastAddress: string | null;
  lastError: string | null;
  lastErrorAt: Date | null;
  refused: number;
  expired: number;
};

const columns = `u.id, u.account_id as "accountId", u.system_id as "systemId", u.name, u.addresses, u.enabled,
  u.binds_max as binds, u.window_max as "window", u.receipt_window as "receiptWindow", u.rate, u.consent_list as "consentList",
  u.duplicates, u.inbound, u.created_at as "createdAt", case when u.old_until > now() then u.old_until end as "oldUntil",
  u.last_bind_at as "lastBindAt", u.last_address as "lastAddress", u.last_error as "lastError",
  u.last_error_at as "lastErrorAt", u.refused, u.expired`;

const listSql = {
  name: 'smpp users',
  text: `select ${columns} from smpp_users u where u.account_id = $1 order by u.id`,
};
const findSql = {
  name: 'smpp user find',
  text: `select ${columns} from smpp_users u where u.account_id = $1 and u.system_id = $2`,
};
const loginSql = {
  name: 'smpp user login',
  text: `select ${columns}, u.digest, u.old_digest as "oldDigest" from smpp_users u where u.system_id = $1`,
};
const countSql = sql<{ count: number }>('smpp users count')`
  select count(*) as count from smpp_users where account_id = $1`;
const insertSql = sql<{ id: number }>('smpp user insert')`
  insert into smpp_users (account_id, system_id, digest) values ($1, $2, $3) returning id`;
const changeSql = sql('smpp user change')`
  update smpp_users set name = $3, addresses = $4, enabled = $5, binds_max = $6, window_max = $7, receipt_window = $8, rate = $9,
    consent_list = $10, duplicates = $11, inbound = $12 where account_id = $1 and id = $2`;
const rotateSql = sql('smpp user rotate')`
  update smpp_users set old_digest = case when $4 > 0 then digest end,
    old_until = case when $4 > 0 then now() + $4 * interval '1 hour' end, digest = $3 where account_id = $1 and id = $2`;
const renewSql = sql('smpp user renew')`
  update smpp_users set digest = case when digest = $2 then $3 else digest end,
    old_digest = case when old_digest = $2 then $3 else old_digest end where id = $1`;
// Its binds end by themselves when it is gone; orders and their parts stay what they are.
const removeSql = sql('smpp user remove')`
  with owed as (delete from smpp_outbox where user_id = $2)
  delete from smpp_users where account_id = $1 and id = $2`;

export type SmppLogin = { systemId: string; password: string };
type SmppWish = Partial<SmppSettings> & { systemId?: string | undefined };

export function listSmppUsers(db: Queryable, accountId: number): Promise<SmppUser[]> {
  return rows<SmppUser>(db, listSql, [accountId]);
}

/** As a bind asks, before the account is known. */
export function findSmppLogin(db: Queryable, systemId: string) {
  return row<SmppUser & { digest: Buffer; oldDigest: Buffer | null }>(db, loginSql, [systemId]);
}

export async function requireSmppUser(db: Queryable, accountId: number, systemId: string): Promise<SmppUser> {
  const found = await row<SmppUser>(db, findSql, [accountId, systemId]);
  if (!found) throw new SmppFault('no-such-user', systemId);
  return found;
}

/** The password is told now and never again. */
export async function createSmppUser(db: Db, key: SecretKey, accountId: number, wish: SmppWish): Promise<SmppLogin> {
  if (wish.systemId !== undefined && !systemIdForm.test(wish.systemId))
    throw new SmppFault('bad-system-id', wish.systemId);
  try {
    return await transaction(db, tx => addSmppUser(tx, key, accountId, wish));
  } catch (error) {
    throw sqlState(error) === '23505' ? new SmppFault('system-id-taken', wish.systemId) : error;
  }
}

export async function addSmppUser(tx: Tx, key: SecretKey, accountId: number, wish: SmppWish): Promise<SmppLogin> {
  const { systemId = newSystemId(), ...settings } = wish;
  const password = newPassword();
  await lockBoundedLists(tx, accountId);
  if ((await row(tx, countSql, [accountId]))!.count >= smppUsersMax) throw new SmppFault('too-many-users');
  await row(tx, insertSql, [accountId, systemId, digestOf(key, systemId, password)]);
  await changeSmppUser(tx, accountId, systemId, settings);
  return { systemId, password };
}

/** What is not given stays. */
export async function changeSmppUser(
  db: Queryable,
  accountId: number,
  systemId: string,
  change: Partial<SmppSettings>,
): Promise<void> {
  const { id, ...known } = await requireSmppUser(db, accountId, systemId);
  const next = checked({ ...known, ...change });
  await run(db, changeSql, [
    accountId,
    id,
    next.name,
    next.addresses,
    next.enabled,
    next.binds,
    next.window,
    next.receiptWindow,
    next.rate,
    next.consentList,
    next.duplicates,
    next.inbound,
  ]);
}

function checked<Given extends SmppSettings>(given: Given): Given {
  if (given.name.length > nameLength) throw new SmppFault('bad-name', given.name);
  for (const [figure, { least, most }] of Object.entries(smppFigures)) {
    const value = given[figure as keyof typeof smppFigures];
    if (value !== null && !(Number.isInteger(value) && value >= least && value <= most))
      throw new SmppFault('bad-figure', figure);
  }
  if (given.addresses.length > addressesMax) throw new SmppFault('too-many-addresses');
  return { ...given, addresses: [...new Set(given.addresses.map(oneAddress))] };
}

function oneAddress(given: string): string {
  const read = readNetwork(given);
  if (!read) throw new SmppFault('bad-address', given);
  return read;
}

/** The old password works for `keepHours` yet, and binds made with it go on. */
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

/** The same password under another key of ours, told by its owner just now: the key before it may go. */
export async function renewDigest(db: Queryable, id: number, old: Buffer, fresh: Buffer): Promise<void> {
  await run(db, renewSql, [id, old, fresh]);
}

export async function removeSmppUser(db: Queryable, accountId: number, systemId: string): Promise<void> {
  const { id } = await requireSmppUser(db, accountId, systemId);
  await run(db, removeSql, [accountId, id]);
}
