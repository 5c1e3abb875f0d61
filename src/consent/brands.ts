// Brand codes and their monthly quota. An account without an active brand has no registry subscription (403).

import { type Queryable, row, rowOf, rowsOf, run, sql } from '../db/db.ts';
import { toTurkeyTime } from '../time/clock.ts';

export type Brand = { code: number; quota: number | null; active: boolean };

const addSql = sql<Brand>('brand add')`
  insert into brands (account_id, code, quota) values ($1, $2, $3)
  on conflict (account_id, code) do update set quota = excluded.quota, active = true
  returning code, quota, active`;
export const listBrands = rowsOf<Brand, [accountId: number]>('brand list')`
  select code, quota, active from brands where account_id = $1 order by created_at, code`;
const usedSql = sql<{ quota: number | null; used: number }>('brand usage')`
  select b.quota, coalesce(u.used, 0) as used from brands b
  left join consent_usage u on u.account_id = b.account_id and u.brand = b.code and u.month = $3
  where b.account_id = $1 and b.code = $2`;
const chargeSql = sql('brand charge')`
  insert into consent_usage (account_id, brand, month, used)
  select $1, $2, $3, $4::integer where coalesce($5::integer, 2147483647) >= $4::integer
  on conflict (account_id, brand, month) do update set used = consent_usage.used + excluded.used
  where consent_usage.used + excluded.used <= coalesce($5::integer, 2147483647)`;

export function monthOf(time: Date): string {
  return toTurkeyTime(time).slice(0, 7);
}

export async function addBrand(db: Queryable, accountId: number, code: number, quota: number | null): Promise<Brand> {
  return (await row(db, addSql, [accountId, code, quota]))!;
}

/** Ends the subscription; consents and pending registry records stay. Returns undefined if no brand is active. */
export const removeBrand = rowOf<Brand, [accountId: number, code: number]>('brand remove')`
  update brands set active = false where account_id = $1 and code = $2 and active returning code, quota, active`;

/** Whether the month's quota has room for `records` more; counts nothing. */
export async function quotaHasRoom(
  db: Queryable,
  accountId: number,
  code: number,
  month: string,
  records: number,
): Promise<boolean> {
  const usage = await row(db, usedSql, [accountId, code, month]);
  return !usage || usage.quota === null || usage.used + records <= usage.quota;
}

/** Takes `records` from the month's quota; false if they do not fit, also for concurrent requests. */
export async function chargeQuota(
  db: Queryable,
  accountId: number,
  code: number,
  month: string,
  records: number,
  quota: number | null,
): Promise<boolean> {
  return (await run(db, chargeSql, [accountId, code, month, records, quota])) > 0;
}
