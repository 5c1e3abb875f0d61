// Re-applies consent refusals recorded after the restore point (cli/later-refusals.ts).
import { type Queryable, rowsOf, run, sql } from '../db/db.ts';

/** Times as the database writes them, to the microsecond. */
export type LaterRefusal = {
  accountId: number;
  brand: number;
  recipient: string;
  recipientType: string;
  type: string;
  source: string;
  consentDate: string;
  origin: string;
  at: string;
};
const columnNames = [
  'accountId',
  'brand',
  'recipient',
  'recipientType',
  'type',
  'source',
  'consentDate',
  'origin',
  'at',
] as const;

// Records that came from the registry are pulled from there again.
export const refusalsSince = rowsOf<LaterRefusal, [moment: Date]>('later refusals')`
  select account_id as "accountId", brand, recipient, recipient_type as "recipientType", type, source, consent_date::text as "consentDate", origin,
    created_at::text as at
  from consent_records where status = 'RET' and origin <> 'registry' and created_at > $1 order by id`;
// Sent to the registry once more: it may know the refusal already, but a refusal counts in any case.
const enterSql = sql('later refusals enter')`
  insert into consent_records (account_id, brand, recipient, recipient_type, type, status, source, consent_date, origin, created_at)
  select u.account_id, u.brand, u.recipient, u.recipient_type, u.type, 'RET', u.source, u.consent_date, u.origin, u.created_at
  from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz[], $8::text[], $9::timestamptz[])
    u(account_id, brand, recipient, recipient_type, type, source, consent_date, origin, created_at)
    join brands b on b.account_id = u.account_id and b.code = u.brand
  where not exists (select 1 from consent_records c where c.account_id = u.account_id and c.brand = u.brand and c.type = u.type
    and c.recipient_type = u.recipient_type and c.recipient = u.recipient and c.status = 'RET' and c.consent_date = u.consent_date)`;

/** Returns how many were missing. */
export function enterAgain(db: Queryable, refusals: LaterRefusal[]): Promise<number> {
  return run(
    db,
    enterSql,
    columnNames.map(name => refusals.map(one => one[name])),
  );
}
