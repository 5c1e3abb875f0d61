// Every consent record of an account as it was given, with its state at the registry: a paged list. Records are
// never deleted, so it walks by id and never counts or sorts all of them.

import { type Queryable, rows, type Sql } from '../db/db.ts';
import type { ConsentDraft, ConsentStatus, ConsentType, RecipientType } from './record.ts';
import { reasonOf } from './registry/codes.ts';

type SyncState = 'queued' | 'sent' | 'accepted' | 'refused';
type ConsentOrigin = 'api' | 'panel' | 'registry';

export type ConsentFilter = {
  brand?: number;
  recipient?: string;
  recipientType?: RecipientType;
  type?: ConsentType;
  status?: ConsentStatus;
  syncState?: SyncState;
  origin?: ConsentOrigin;
  /** By time of arrival; `end` is exclusive. */
  start?: Date;
  end?: Date;
  /** Records older than this id: the `next` of the previous page. */
  before?: number;
  rowCount?: number;
};

export type ConsentHistoryRecord = ConsentDraft & {
  id: number;
  brand: number;
  origin: ConsentOrigin;
  createdAt: Date;
  syncState: SyncState;
  /** false for an ONAY that the registry refused. */
  counts: boolean;
  requestId: string | null;
  requestIndex: number | null;
  transactionId: string | null;
  attempts: number;
  syncedAt: Date | null;
  /** The registry's code and its Turkish sentence: why the record was refused, or why it still waits. */
  code: string | null;
  reason: string | null;
};

const rowsMax = 1_000;
const rowsUsual = 50;

type PageRow = Omit<ConsentHistoryRecord, 'reason'>;

const pageText = `
  select r.id, r.brand, r.recipient, r.recipient_type as "recipientType", r.type, r.status, r.source,
    r.consent_date as "consentDate", r.origin, r.created_at as "createdAt", r.sync_state as "syncState", r.counts,
    r.request_id as "requestId", r.request_index as "requestIndex", r.transaction_id as "transactionId",
    r.sync_attempts as attempts, r.synced_at as "syncedAt",
    coalesce(r.refusal_code, case when r.sync_state = 'queued' then coalesce(r.waiting_code, p.code) end) as code
  from consent_records r
  left join consent_pauses p on p.brand = r.brand and p.paused_until > now()
  where r.account_id = $1 and r.id < coalesce($2::bigint, 9223372036854775807)
    and ($3::bigint is null or r.brand = $3) and ($4::text is null or r.recipient = $4)
    and ($5::text is null or r.recipient_type = $5) and ($6::text is null or r.type = $6)
    and ($7::text is null or r.status = $7) and ($8::text is null or r.sync_state = $8)
    and ($9::text is null or r.origin = $9) and ($10::timestamptz is null or r.created_at >= $10)
    and ($11::timestamptz is null or r.created_at < $11)
  order by r.id desc limit $12`;
const pageSql: Sql<PageRow> = { name: 'consent history', text: pageText };
// A recipient is found by consent_current, whose other columns have few values, instead of a walk over all records.
const recipientSql: Sql<PageRow> = {
  name: 'consent history of a recipient',
  text: `with found as materialized (
      select * from consent_records where account_id = $1 and brand in (select code from brands where account_id = $1)
        and type in ('MESAJ', 'EPOSTA', 'ARAMA') and recipient_type in ('BIREYSEL', 'TACIR') and recipient = $4)
    ${pageText.replace('from consent_records r', 'from found r')}`,
};

/** Newest first. `next` leads to the following page; null on the last page. */
export async function consentHistory(
  db: Queryable,
  accountId: number,
  filter: ConsentFilter = {},
): Promise<{ records: ConsentHistoryRecord[]; next: number | null }> {
  const rowCount = Math.min(Math.max(1, filter.rowCount ?? rowsUsual), rowsMax);
  const { brand, recipient, recipientType, type, status, syncState, origin, start, end, before } = filter;
  const wanted = [brand, recipient, recipientType, type, status, syncState, origin, start, end].map(one => one ?? null);
  const statement = recipient === undefined ? pageSql : recipientSql;
  const found = await rows(db, statement, [accountId, before ?? null, ...wanted, rowCount + 1]);
  const records = found
    .slice(0, rowCount)
    .map(one => ({ ...one, reason: one.code === null ? null : reasonOf(one.code) }));
  return { records, next: found.length > rowCount ? records.at(-1)!.id : null };
}
