// Finds accounts whose credit fell below their own limit. An account is reported once when it falls, and again only after it
// rose above the limit.
import { type Queryable, row, rowOf, rowsOf, run, sql } from '../db/db.ts';

export type LowBalance = { accountId: number; name: string; sms: number; threshold: number; since: Date };

const noticeSql = sql('low balance notice')`
  update accounts a set low_balance_at = $1, low_balance_told = false from balances b
  where b.account_id = a.id and a.low_balance is not null and a.low_balance_at is null and b.sms < a.low_balance`;
const forgetSql = sql('low balance forget')`
  update accounts a set low_balance_at = null, low_balance_told = false from balances b
  where b.account_id = a.id and a.low_balance_at is not null and (a.low_balance is null or b.sms >= a.low_balance)`;

/** Updates the marks from the balances. */
export async function noticeLowBalances(db: Queryable, now: Date): Promise<void> {
  await run(db, forgetSql);
  await run(db, noticeSql, [now]);
}

export const pendingLowBalances = rowsOf<LowBalance>('low balances pending')`
  select a.id as "accountId", a.name, b.sms, a.low_balance as threshold, a.low_balance_at as since
  from accounts a join balances b on b.account_id = a.id
  where a.low_balance_at is not null and not a.low_balance_told and a.low_balance_sms and a.low_balance is not null
  order by a.low_balance_at limit 100`;

const notifiedSql = sql('low balance notified')`
  update accounts set low_balance_told = true where id = $1 and low_balance_at = $2`;

export async function markLowBalanceNotified(db: Queryable, one: LowBalance): Promise<void> {
  await run(db, notifiedSql, [one.accountId, one.since]);
}

/** The first owner who has given a phone number. */
export const ownerPhone = rowOf<{ mobile: number; language: 'tr' | 'en' }, [accountId: number]>('low balance owner')`
  select u.mobile, u.language from memberships m join users u on u.id = m.user_id
  where m.account_id = $1 and m.role = 'owner' and u.mobile is not null order by m.created_at, u.id limit 1`;

const settingsSql = sql<{ lowBalance: number | null; lowBalanceSms: boolean }>('low balance settings')`
  select low_balance as "lowBalance", low_balance_sms as "lowBalanceSms" from accounts where id = $1`;

export async function lowBalanceSettings(db: Queryable, accountId: number) {
  return (await row(db, settingsSql, [accountId]))!;
}
