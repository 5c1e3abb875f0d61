// Adds credit. Spending is part of take_credit and settle (src/settle), beside the messages it pays for. Every movement is an
// entry, and the balance changes in the same transaction.
import { type Queryable, row, rowOf, rows, runOf, sql } from '../db/db.ts';

export type Balance = { sms: number; amount: string };
export type LedgerEntry = {
  id: number;
  kind: 'grant' | 'reserve' | 'consume' | 'release' | 'correct';
  sms: number;
  reserved: number;
  amount: string;
  orderId: number | null;
  reason: string | null;
  actor: string | null;
  createdAt: Date;
};

/** Creates the balance of a new account, in the transaction that opens it. */
export const openBalance = runOf<[accountId: number]>('balance insert')`
  insert into balances (account_id, sms) values ($1, 0)`;

// The newest version comes first: docs/decisions/0020-old-snapshots.md.
export const readBalance = rowOf<Balance, [accountId: number]>('balance read')`
  select sms, amount from balances where account_id between $1 and $1 order by account_id desc limit 1`;

// One statement, so that entry and balance stay equal. A grant may be negative (a correction), but the balance may not.
const grantSql = sql<Balance>('balance grant')`
  with entry as (
    insert into ledger_entries (account_id, kind, sms, amount, reason, actor)
    select account_id, 'grant', $2::bigint, $3::numeric, $4, $5 from balances where account_id = $1 returning account_id)
  update balances b set sms = b.sms + $2::bigint, amount = b.amount + $3::numeric from entry
  where b.account_id = entry.account_id returning b.sms, b.amount`;

const entriesSql = sql<LedgerEntry>('ledger page')`
  select id, kind, sms, reserved, amount, order_id as "orderId", reason, actor, created_at as "createdAt"
  from ledger_entries where account_id = $1 and id < $2 order by id desc limit $3`;

export async function grantCredit(
  db: Queryable,
  accountId: number,
  sms: number,
  reason: string,
  actor: string,
  amount = '0',
): Promise<Balance> {
  const balance = await row(db, grantSql, [accountId, sms, amount, reason, actor]);
  if (!balance) throw new Error(`there is no account ${accountId}`);
  return balance;
}

export function ledgerPage(
  db: Queryable,
  accountId: number,
  before = Number.MAX_SAFE_INTEGER,
  most = 100,
): Promise<LedgerEntry[]> {
  return rows(db, entriesSql, [accountId, before, most]);
}
