// Collects the results of batches. The registry gives no result before its delay is over, and none for a batch it no longer
// knows; a batch without a result is queued and sent again.

import { type Db, rows, run, sql } from '../../db/db.ts';
import { backoffMs } from '../../time/backoff.ts';
import type { BatchItem } from '../registry/answer.ts';
import type { Failed } from '../registry/outcome.ts';
import { hourMs, isOver, type Sync } from './context.ts';
import { type Judged, pauseBrand, type QueuedRecord, settle, type Verdict } from './queue.ts';
import { verdictOnRefusal } from './verdict.ts';

type Batch = { requestId: string; brand: number; asks: number; ageMs: number };

const batchesMax = 100;
const againMs = 30_000;

const dueSql = sql<Batch>('consent batches due')`
  select request_id as "requestId", brand, asks, (extract(epoch from now() - sent_at) * 1000)::float8 as "ageMs"
  from consent_batches where ask_after <= now()
  order by ask_after limit $1`;
const recordsSql = sql<QueuedRecord>('consent batch records')`
  select id, account_id as "accountId", brand, recipient, recipient_type as "recipientType", type, status, source,
    consent_date as "consentDate", sync_attempts as attempts, request_index as "requestIndex"
  from consent_records where request_id = $1 and sync_state = 'sent' order by request_index`;
const askLaterSql = sql('consent batch ask later')`
  update consent_batches set asks = asks + 1, ask_after = now() + make_interval(secs => $2::float8 / 1000)
  where request_id = $1`;
const requeueSql = sql('consent batch requeue')`
  with given_up as (delete from consent_batches where request_id = $1)
  update consent_records set sync_state = 'queued', request_id = null, request_index = null, sync_after = now()
  where request_id = $1 and sync_state = 'sent'`;
const finishSql = sql('consent batch finish')`
  delete from consent_batches b where request_id = $1
    and not exists (select 1 from consent_records r where r.request_id = b.request_id and r.sync_state = 'sent')`;

export async function collectResults(sync: Sync): Promise<Failed | null> {
  for (;;) {
    const batches = await rows(sync.db, dueSql, [batchesMax]);
    for (const batch of batches) {
      if (isOver(sync)) return null;
      const trouble = await collectOne(sync, batch);
      if (trouble !== null) return trouble;
    }
    if (batches.length < batchesMax) return null;
  }
}

async function collectOne(sync: Sync, batch: Batch): Promise<Failed | null> {
  const answer = await sync.client.batchResult(batch.brand, batch.requestId);
  sync.onStep('result read');
  if (answer.kind === 'refused') return refusedResult(sync, batch, answer.scope, answer.code);
  if (answer.kind !== 'ok') return answer;
  if (answer.items !== null) await applyItems(sync, batch, answer.items);
  if (answer.items !== null && (await run(sync.db, finishSql, [batch.requestId])) > 0) return null;
  await waitOrRepeat(sync, batch);
  return null;
}

async function refusedResult(sync: Sync, batch: Batch, scope: string, code: string): Promise<null> {
  if (scope === 'subscription' || scope === 'quota') {
    await pauseBrand(sync.db, batch.brand, code, hourMs);
    await askLater(sync.db, batch, hourMs);
  } else {
    sync.log.warn({ requestId: batch.requestId, code }, 'consent.batch unknown to the registry');
    await run(sync.db, requeueSql, [batch.requestId]);
  }
  return null;
}

async function waitOrRepeat(sync: Sync, batch: Batch): Promise<void> {
  const { askAgainMs, askAgainMaxMs, giveUpMs } = sync.pace;
  if (batch.ageMs < giveUpMs) return askLater(sync.db, batch, backoffMs(batch.asks, askAgainMs, askAgainMaxMs));
  sync.log.warn({ requestId: batch.requestId, asks: batch.asks }, 'consent.batch without a result is sent again');
  await run(sync.db, requeueSql, [batch.requestId]);
}

async function askLater(db: Db, batch: Batch, pauseMs: number): Promise<void> {
  await run(db, askLaterSql, [batch.requestId, pauseMs]);
}

async function applyItems(sync: Sync, batch: Batch, items: BatchItem[]): Promise<void> {
  const byIndex = new Map(items.map(item => [item.index, item]));
  const judged: Judged[] = [];
  for (const record of await rows(sync.db, recordsSql, [batch.requestId])) {
    const item = byIndex.get(record.requestIndex ?? -1);
    const verdict = item && (await verdictOf(sync, record, item));
    if (verdict) judged.push({ record, verdict });
  }
  const { accepted, refused } = await settle(sync.db, judged);
  sync.tally.accepted += accepted;
  sync.tally.refused += refused;
}

async function verdictOf(sync: Sync, record: QueuedRecord, item: BatchItem): Promise<Verdict | null> {
  if (item.state === 'waiting') return null;
  if (item.state === 'accepted') return { state: 'accepted', transactionId: item.transactionId };
  if (item.state === 'again') return { state: 'queued', code: item.code, afterMs: againMs };
  if (item.class === 'record') return verdictOnRefusal(sync, record, item.code);
  return { state: 'queued', code: item.code, afterMs: hourMs };
}
