// The queue of records for the registry: which may be sent now, and what became of those that were. The registry judges a
// record by those it holds of the same address, so of each address (brand, recipient, recipient type, type) only the oldest by
// consent date is claimed, and none while another waits for its result.

import { type Db, rows, run, runOf, sql } from '../../db/db.ts';
import { now } from '../../time/clock.ts';
import type { ConsentDraft } from '../record.ts';
import { reasonOf } from '../registry/codes.ts';

export type QueuedRecord = ConsentDraft & {
  id: number;
  accountId: number;
  brand: number;
  /** Includes this attempt: more than 1 means that the registry may already hold the record. */
  attempts: number;
  requestIndex: number | null;
};

export type Verdict =
  | { state: 'accepted'; transactionId: string }
  | { state: 'refused'; code: string }
  | { state: 'queued'; code: string; afterMs: number };
export type Judged = { record: QueuedRecord; verdict: Verdict };

/** Waiting records of one brand beyond this number are not counted. */
const waitingMax = 101;
const brandsMax = 1_000;

const dueBrandsSql = sql<{ brand: number; waiting: number }>('consent due brands')`
  select b.code as brand, (select count(*) from (select 1 from consent_records r
    where r.brand = b.code and r.sync_state = 'queued' and r.sync_after <= now() limit $1) c) as waiting
  from (select distinct code from brands) b
  where exists (select 1 from consent_records r where r.brand = b.code and r.sync_state = 'queued' and r.sync_after <= now())
    and not exists (select 1 from consent_pauses p where p.brand = b.code and p.paused_until > now())
  limit $2`;

// consent_due gives the order, consent_unsettled the neighbours. OFFSET 0 keeps the search for neighbours a subplan: as a join,
// on a table not analysed yet, 1,000 of 5,000 records took 2.3 s instead of 3 ms. The attempt is counted before anything is
// sent.
const claimSql = sql<QueuedRecord>('consent claim')`
  with due as (
    select r.id, r.account_id from consent_records r
    where r.brand = $1 and r.sync_state = 'queued' and r.sync_after <= now()
      and not exists (select 1 from consent_records e
        where e.brand = r.brand and e.recipient = r.recipient and e.type = r.type and e.recipient_type = r.recipient_type
          and e.sync_state in ('queued', 'sent') and e.id <> r.id
          and (e.sync_state = 'sent' or (e.consent_date, e.id) < (r.consent_date, r.id)) offset 0)
    order by r.sync_after, r.id limit $2)
  update consent_records r set sync_attempts = r.sync_attempts + 1
  from due where r.id = due.id and r.account_id = due.account_id
  returning r.id, r.account_id as "accountId", r.brand, r.recipient, r.recipient_type as "recipientType", r.type, r.status,
    r.source, r.consent_date as "consentDate", r.sync_attempts as attempts, null::integer as "requestIndex"`;

const sentSql = sql('consent sent')`
  with batch as (
    insert into consent_batches (request_id, brand, ask_after)
    values ($1, $2, now() + make_interval(secs => $3::float8 / 1000)) on conflict (request_id) do nothing)
  update consent_records r set sync_state = 'sent', request_id = $1, request_index = u.place - 1, waiting_code = null
  from unnest($4::bigint[], $5::bigint[]) with ordinality u(id, account_id, place)
  where r.id = u.id and r.account_id = u.account_id and r.sync_state = 'queued'`;

const settleSql = sql<{ state: string }>('consent settle')`
  update consent_records r set
    sync_state = u.state,
    counts = not (u.state = 'refused' and r.status = 'ONAY'),
    transaction_id = coalesce(u.transaction_id, r.transaction_id),
    refusal_code = case when u.state = 'refused' then u.code end,
    refusal_text = u.reason,
    waiting_code = case when u.state = 'queued' then u.code end,
    request_id = case when u.state <> 'queued' then r.request_id end,
    request_index = case when u.state <> 'queued' then r.request_index end,
    sync_after = now() + make_interval(secs => u.after_ms / 1000),
    synced_at = case when u.state <> 'queued' then $8::timestamptz end
  from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::float8[])
    u(id, account_id, state, transaction_id, code, reason, after_ms)
  where r.id = u.id and r.account_id = u.account_id and r.sync_state in ('queued', 'sent')
  returning r.sync_state as state`;

/** The registry objects to the brand itself: its records wait, and the panel shows why. */
export const pauseBrand = runOf<[brand: number, code: string, pauseMs: number]>('consent brand pause')`
  insert into consent_pauses (brand, code, paused_until) values ($1, $2, now() + make_interval(secs => $3::float8 / 1000))
  on conflict (brand) do update set code = excluded.code, paused_until = excluded.paused_until,
    paused_at = case when consent_pauses.code = excluded.code then consent_pauses.paused_at else now() end`;

export function dueBrands(db: Db): Promise<{ brand: number; waiting: number }[]> {
  return rows(db, dueBrandsSql, [waitingMax, brandsMax]);
}

/** In order of arrival. */
export async function claimRecords(db: Db, brand: number, max: number): Promise<QueuedRecord[]> {
  return (await rows(db, claimSql, [brand, max])).sort((a, b) => a.id - b.id);
}

/** The registry took the records as one batch, in this order. */
export function markSent(db: Db, requestId: string, brand: number, records: QueuedRecord[], askMs: number) {
  const ids = [records.map(one => one.id), records.map(one => one.accountId)];
  return run(db, sentSql, [requestId, brand, askMs, ...ids]);
}

/** Stores verdicts and counts only real changes. A refused ONAY no longer counts; a RET always does. */
export async function settle(db: Db, judged: Judged[]): Promise<{ accepted: number; refused: number }> {
  if (judged.length === 0) return { accepted: 0, refused: 0 };
  const column = <T>(pick: (verdict: Verdict) => T) => judged.map(one => pick(one.verdict));
  const changed = await rows(db, settleSql, [
    judged.map(one => one.record.id),
    judged.map(one => one.record.accountId),
    column(one => one.state),
    column(one => (one.state === 'accepted' ? one.transactionId : null)),
    column(one => (one.state === 'accepted' ? null : one.code)),
    column(one => (one.state === 'refused' ? reasonOf(one.code) : null)),
    column(one => (one.state === 'queued' ? one.afterMs : 0)),
    now(),
  ]);
  const count = (state: string) => changed.filter(one => one.state === state).length;
  return { accepted: count('accepted'), refused: count('refused') };
}
