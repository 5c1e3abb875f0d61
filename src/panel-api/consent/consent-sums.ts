// Sums over consent records: quota used, records by state, refusals by code.
import { type Queryable, rows, rowsOf, sql } from '../../db/db.ts';

export const brandsWithUse = rowsOf<
  { code: number; active: boolean; quota: number | null; used: number },
  [accountId: number, month: string]
>('panel brands')`
  select b.code, b.active, b.quota, coalesce(u.used, 0) as used from brands b
  left join consent_usage u on u.account_id = b.account_id and u.brand = b.code and u.month = $2
  where b.account_id = $1 order by b.created_at, b.code limit 100`;

// Over the newest 100,000 records: a bound for accounts with millions.
export const consentCounts = rowsOf<
  { state: 'queued' | 'sent' | 'accepted' | 'refused'; count: number },
  [accountId: number]
>('panel consent counts')`
  select sync_state as state, count(*) as count from (
    select sync_state from consent_records where account_id = $1 order by id desc limit 100000) r group by 1`;

export const consentRefusals = rowsOf<
  { code: string; count: number; lastAt: Date },
  [accountId: number, brand: number | null]
>('panel consent refusals')`
  select coalesce(refusal_code, '') as code, count(*) as count, max(created_at) as "lastAt" from (
    select refusal_code, created_at, sync_state, brand from consent_records where account_id = $1 order by id desc limit 100000) r
  where sync_state = 'refused' and ($2::bigint is null or brand = $2) group by 1 order by 2 desc limit 50`;

const refusedSinceSql = sql<{ count: number }>('panel consent refused since')`
  select count(*) as count from (select sync_state, synced_at from consent_records where account_id = $1
    order by id desc limit 10000) r where sync_state = 'refused' and synced_at >= $2`;

export async function consentsRefusedSince(db: Queryable, accountId: number, since: Date): Promise<number> {
  return (await rows(db, refusedSinceSql, [accountId, since]))[0]!.count;
}
