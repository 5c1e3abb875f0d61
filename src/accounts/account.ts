// The account as other folders see it: a record without methods, read anew for each request.
import { type Queryable, row, rowsOf, type Sql } from '../db/db.ts';
import type { Mode } from '../text/prepare.ts';

export type Account = {
  id: number;
  name: string;
  status: 'active' | 'suspended';
  apiEnabled: boolean;
  mode: Mode;
  abroad: boolean;
  rate: number;
  apiIps: string[];
  createdAt: Date;
  /** Approved sender IDs. */
  senders: string[];
  /** Active brand codes at the consent registry. */
  brands: number[];
  /** Version of the account: grows with every change of it or its credentials (not of its brands). `accounts.stamp` since 0.2.0. */
  stamp: number;
  /** The account is about to move to another cell and accepts nothing for some seconds (src/cells/move). */
  isLeaving: boolean;
  /** The record comes from the cache; it is valid only if `stamp` is unchanged when the order is stored. */
  remembered?: true;
  /** The cell where the account lives, if not the home cell. */
  cell?: number;
};

/** The cached account is outdated: read it again and repeat the decision. */
export class OutdatedAccount extends Error {}

/** The account is moving to another cell; try again in a moment. */
export class AccountLeaving extends Error {
  constructor() {
    super('the account is on its way to another cell');
  }
}

/** All of these columns, from "accounts a". */
export const accountColumns = `
  a.id, a.name, replace(a.status, 'moving', 'active') as status, a.api_enabled as "apiEnabled", a.mode, a.abroad, a.rate, a.api_ips as "apiIps",
  a.created_at as "createdAt",
  array(select s.name from senders s where s.account_id = a.id and s.state = 'approved' order by s.name) as senders,
  array(select b.code from brands b where b.account_id = a.id and b.active order by b.created_at, b.code) as brands,
  a.stamp,
  a.status = 'moving' as "isLeaving"`;

const accountById: Sql<Account> = {
  name: 'account by id',
  text: `select ${accountColumns} from accounts a where a.id = $1`,
};

export function findAccount(db: Queryable, id: number): Promise<Account | undefined> {
  return row(db, accountById, [id]);
}

type AccountLine = { id: number; name: string; status: string; sms: number; createdAt: Date };

export const listAccounts = rowsOf<AccountLine>('account list')`
  select a.id, a.name, a.status, b.sms, a.created_at as "createdAt"
  from accounts a join balances b on b.account_id = a.id
  where a.id::text <> coalesce((select value from installation where name = 'platform-account'), '') order by a.id limit 10000`;
