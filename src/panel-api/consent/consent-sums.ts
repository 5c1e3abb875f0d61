// Sums over consent records: quota used, records by state, refusals by code.
import { type Queryable, rows, sql } from '../../db/db.ts';

const brandsSql = sql<{ code: number; active: boolean; quota: number | null; used: number }>('panel brands')`
  select b.code, b.active, b.quota, coalesce(u.used, 0) as used from brands b
  left join consent_usage u on u.account_id = b.account_id and u.brand = b.code and u.month = $2
  where b.account_id = $1 order by b.created_at, b.code limit 100`;

export function brandsWithUse(db: Queryable, accountId: number, month: string) {
  return rows(db, brandsSql, [accountId, month]);
}

// Over the newest 100,000 records: a bound for accounts with millions.
const countsSql = sql<{ state: 'queued' | 'sent' | 'accepted' | 'refused'; count: number }>('panel consent counts')`
  select sync_state as state, count(*) as count from (
    select sync_state from consent_records where account_id = $1 order by id desc limit 100000) r group by 1`;

export function consentCounts(db: Queryable, accountId: number) {
  return rows(db, countsSql, [accountId]);
}

const refusalsSql = sql<{ code: string; count: number; lastAt: Date }>('panel consent refusals')`
  select coalesce(refusal_code, '') as code, count(*) as count, max(created_at) as "lastAt" from (
    select refusal_code, created_at, sync_state, brand from consent_records where account_id = $1 order by id desc limit 100000) r
  where sync_state = 'refused' and ($2::bigint is null or brand = $2) group by 1 order by 2 desc limit 50`;

export function consentRefusals(db: Queryable, accountId: number, brand: number | null) {
  return rows(db, refusalsSql, [accountId, brand]);
}

const refusedSinceSql = sql<{ count: number }>('panel consent refused since')`
  select count(*) as count from (select sync_state, synced_at from consent_records where account_id = $1
    order by id desc limit 10000) r where sync_state = 'refused' and synced_at >= $2`;

export async function consentsRefusedSince(db: Queryable, accountId: number, since: Date): Promise<number> {
  return (await rows(db, refusedSinceSql, [accountId, since]))[0]!.count;
}
