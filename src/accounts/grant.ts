// Grants credit: ledger entry, audit entry and idempotency key in one transaction.
import { type Balance, grantCredit, readBalance } from '../balance/ledger.ts';
import { type Db, row, sql, type Tx, transaction } from '../db/db.ts';
import { recordAuditEntry } from './audit-log.ts';

type Grant = {
  accountId: number;
  sms: number;
  amount: string;
  reason: string;
  actor: string;
  address: string | null;
  /** A repeated key with the same amounts grants nothing more; null means no key. */
  key: string | null;
};

/** The key was already used for other amounts. */
export class GrantKeyUsed extends Error {}
/** The balance would become negative. */
export class BelowZero extends Error {}

export function grantRecorded(db: Db, grant: Grant): Promise<Balance> {
  const { accountId, sms, amount, reason, actor, address } = grant;
  return transaction(db, async tx => {
    if (!(await isFirst(tx, grant))) return (await readBalance(tx, accountId))!;
    const balance = await grantCredit(tx, accountId, sms, reason, actor, amount).catch(error => {
      throw /balances_sms_check/.test((error as Error).message)
        ? new BelowZero('the balance would fall below zero')
        : error;
    });
    await recordAuditEntry(tx, { accountId, actor, action: 'credit.grant', detail: { sms, amount, reason }, address });
    return balance;
  });
}

// The second of two concurrent grants waits here and then finds the first one's row.
const keepSql = sql<{ key: string }>('grant keep')`
  insert into credit_grants (account_id, key, sms, amount) values ($1, $2, $3, $4)
  on conflict (account_id, key) do nothing returning key`;
const sameSql = sql<{ same: boolean }>('grant same')`
  select sms = $3 and amount = $4 as same from credit_grants where account_id = $1 and key = $2`;

async function isFirst(tx: Tx, { accountId, key, sms, amount }: Grant): Promise<boolean> {
  if (key === null) return true;
  if (await row(tx, keepSql, [accountId, key, sms, amount])) return true;
  if (!(await row(tx, sameSql, [accountId, key, sms, amount]))!.same)
    throw new GrantKeyUsed(`the key "${key}" was used for another grant`);
  return false;
}
