// Account settings that only the panel shows, and the addresses of recent calls.
import { type Queryable, row, rowsOf, sql } from '../../db/db.ts';

const extraSql = sql<{ panelIps: string[]; optOutKeywords: string[] }>('panel account settings')`
  select panel_ips as "panelIps", opt_out_keywords as "optOutKeywords" from accounts where id = $1`;

export async function panelSettings(db: Queryable, accountId: number) {
  return (await row(db, extraSql, [accountId]))!;
}

export type Refused = { address: string; cause: string; keyStart: string | null; count: number; lastAt: Date };
export const refusedAddresses = rowsOf<Refused, [accountId: number, since: Date]>('panel refused addresses')`
  select address, cause, key_start as "keyStart", count(*) as count, max(at) as "lastAt"
  from (select address, cause, key_start, at from api_refusals
    where account_id = $1 and code = 401 and at >= $2 order by id desc limit 20000) r
  where address is not null group by 1, 2, 3 order by 5 desc limit 500`;
