// Every consent record of an account as it was given, with its state at the registry: a paged list for the panel and a file for
// auditors. Records are never deleted, so both walk by id and never count or sort all records.

import { type Queryable, rows, type Sql, sql } from '../db/db.ts';
import { toTurkeyTime } from '../time/clock.ts';
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
const exportRows = 2_000;

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

type ExportRow = Omit<ConsentHistoryRecord, 'attempts' | 'requestIndex' | 'counts'> & { refusalText: string | null };

// By id from the first record; records that arrive meanwhile are not part of the file.
const exportSql = sql<ExportRow>('consent export')`
  select r.id, r.brand, r.recipient, r.recipient_type as "recipientType", r.type, r.status, r.source,
    r.consent_date as "consentDate", r.origin, r.created_at as "createdAt", r.sync_state as "syncState",
    r.request_id as "requestId", r.transaction_id as "transactionId", r.synced_at as "syncedAt",
    r.refusal_code as code, r.refusal_text as "refusalText"
  from consent_records r where r.account_id = $1 and r.brand = $2 and r.id > $3 and r.id <= $4
  order by r.id limit $5`;
const lastSql = sql<{ last: number | null }>('consent export last')`
  select max(id) as last from consent_records where account_id = $1`;

const states: Record<SyncState, string> = {
  queued: 'sırada',
  sent: 'gönderildi',
  accepted: 'kabul edildi',
  refused: 'reddedildi',
};
const origins: Record<ConsentOrigin, string> = { api: 'API', panel: 'panel', registry: 'İYS' };

const columns: { title: string; cell(record: ExportRow): string | number | null }[] = [
  { title: 'Kayıt No', cell: one => one.id },
  { title: 'Marka Kodu', cell: one => one.brand },
  { title: 'Alıcı', cell: one => one.recipient },
  { title: 'Alıcı Tipi', cell: one => one.recipientType },
  { title: 'İzin Tipi', cell: one => one.type },
  { title: 'Durum', cell: one => one.status },
  { title: 'Kaynak', cell: one => one.source },
  { title: 'İzin Tarihi', cell: one => toTurkeyTime(one.consentDate) },
  { title: 'Geliş Yolu', cell: one => origins[one.origin] },
  { title: 'Geliş Zamanı', cell: one => toTurkeyTime(one.createdAt) },
  { title: 'İYS Durumu', cell: one => states[one.syncState] },
  { title: 'İYS Sonuç Zamanı', cell: one => one.syncedAt && toTurkeyTime(one.syncedAt) },
  { title: 'İYS İstek No', cell: one => one.requestId },
  { title: 'İYS İşlem No', cell: one => one.transactionId },
  { title: 'Ret Kodu', cell: one => one.code },
  { title: 'Ret Nedeni', cell: one => one.refusalText },
];

/** Lines of a CSV file (UTF-8 with BOM, separated by semicolons), oldest first. */
export async function* exportConsents(db: Queryable, accountId: number, brand: number): AsyncGenerator<string> {
  yield `\uFEFF${columns.map(column => csvCell(column.title)).join(';')}\r\n`;
  const last = (await rows(db, lastSql, [accountId]))[0]?.last ?? 0;
  let after = 0;
  for (;;) {
    const page = await rows(db, exportSql, [accountId, brand, after, last, exportRows]);
    for (const record of page) yield `${columns.map(column => csvCell(column.cell(record))).join(';')}\r\n`;
    if (page.length < exportRows) return;
    after = page.at(-1)!.id;
  }
}

/** Spreadsheets take a text that begins like a formula for one; the apostrophe keeps it a text, also numbers (+90…). */
function csvCell(value: string | number | null): string {
  const text = value === null ? '' : String(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[";\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
