// Sends queued records to the registry. A few records go one by one and are answered at once; many go in batches whose result
// comes later. Nothing is marked before the registry has answered: after a crash the same records are claimed and sent again,
// and the registry's idempotent form counts them once.
import { backoffMs } from '../../time/backoff.ts';
import { type ConsentRecord, registryLimits } from '../registry/client.ts';
import { classOf } from '../registry/codes.ts';
import type { Failed, Refused } from '../registry/outcome.ts';
import { hourMs, isOver, type Sync } from './context.ts';
import {
  claimRecords,
  dueBrands,
  type Judged,
  markSent,
  pauseBrand,
  type QueuedRecord,
  settle,
  type Verdict,
} from './queue.ts';
import { verdictOnRefusal } from './verdict.ts';

const singlesMax = 100;
// A batch costs two calls, one to send and one for the result, so two records or fewer go one by one.
const singlesAmongManyMax = 2;
// The pacer spaces the calls; several in flight only hide latency.
const lanes = 4;
// After this many malformed answers in a row we pause.
const misfitsMax = 3;

export async function pushQueued(sync: Sync): Promise<Failed | null> {
  for (;;) {
    const brands = await dueBrands(sync.db);
    const isFew = brands.reduce((sum, one) => sum + one.waiting, 0) <= singlesMax;
    let moved = 0;
    for (const { brand } of brands) {
      if (isOver(sync)) return null;
      const records = await claimRecords(sync.db, brand, isFew ? singlesMax : registryLimits.batchMax);
      moved += records.length;
      const trouble = await send(sync, brand, records, isFew ? singlesMax : singlesAmongManyMax);
      if (trouble !== null && trouble.kind !== 'refused') return trouble;
    }
    // Any record still due waits for the result of an earlier record of its address.
    if (moved === 0) return null;
  }
}

async function send(sync: Sync, brand: number, records: QueuedRecord[], fewMax: number): Promise<Failed | null> {
  if (records.length === 0) return null;
  sync.onStep('claimed');
  return records.length <= fewMax ? sendSingly(sync, records) : sendBatch(sync, brand, records);
}

/** A `refused` answer stops only the brand, which has been paused. */
async function sendSingly(sync: Sync, records: QueuedRecord[]): Promise<Failed | null> {
  const waiting = [...records];
  let trouble: Failed | null = null;
  let misfits = 0;
  async function lane(): Promise<void> {
    for (let record = waiting.shift(); record && !isOver(sync); record = waiting.shift()) {
      try {
        const failed = await sendOne(sync, record);
        misfits = failed?.kind === 'refused' && failed.scope === 'request' ? misfits + 1 : 0;
        if (misfits >= misfitsMax) trouble ??= { kind: 'later', code: (failed as Refused).code, afterMs: 60_000 };
        else if (failed !== null && misfits === 0) trouble ??= failed;
      } catch (error) {
        waiting.length = 0;
        throw error;
      }
      if (trouble !== null) waiting.length = 0;
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: lanes }, lane));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return trouble;
}

async function sendOne(sync: Sync, record: QueuedRecord): Promise<Failed | null> {
  const answer = await sync.client.addOne(record.brand, wire(record));
  sync.onStep('one added');
  if (answer.kind === 'ok') {
    sync.tally.sent++;
    await judge(sync, [{ record, verdict: { state: 'accepted', transactionId: answer.transactionId } }]);
    return null;
  }
  if (answer.kind === 'unreachable' && answer.mayHaveArrived) {
    // Moved behind the others, so that a record whose call always fails does not block the rest.
    await judge(sync, [{ record, verdict: postponed('H192', backoffMs(record.attempts, 500, 30_000)) }]);
  }
  if (answer.kind !== 'refused') return answer;
  return refusedOne(sync, record, answer);
}

async function refusedOne(sync: Sync, record: QueuedRecord, answer: Refused): Promise<Failed | null> {
  const { scope, code } = answer;
  if (scope === 'subscription') {
    await pauseBrand(sync.db, record.brand, code, hourMs);
    return answer;
  }
  if (scope === 'record') sync.tally.sent++;
  if (scope === 'request') sync.log.error({ record: record.id, code }, 'consent.not understood by the registry');
  const verdict = scope === 'record' ? await verdictOnRefusal(sync, record, code) : postponed(code, hourMs);
  await judge(sync, [{ record, verdict }]);
  return scope === 'request' ? answer : null;
}

async function sendBatch(sync: Sync, brand: number, records: QueuedRecord[]): Promise<Failed | null> {
  const answer = await sync.client.addBatch(brand, records.map(wire));
  sync.onStep('batch added');
  if (answer.kind === 'refused') return refusedBatch(sync, brand, records, answer);
  if (answer.kind !== 'ok') return answer;
  await markSent(sync.db, answer.requestId, brand, records, sync.pace.askAfterMs);
  sync.tally.sent += records.length;
  return null;
}

/** None of the batch was taken. Faulty records are handled; the others stay queued for the next claim. */
async function refusedBatch(sync: Sync, brand: number, records: QueuedRecord[], answer: Refused) {
  if (answer.scope === 'subscription') {
    await pauseBrand(sync.db, brand, answer.code, hourMs);
    return answer;
  }
  if (answer.scope === 'quota') return overQuota(sync, records, answer.code);
  const blamed = new Map<number, string>();
  for (const { index, code } of answer.errors)
    if (index !== undefined && records[index] && !blamed.has(index) && classOf(code, 422) === 'record')
      blamed.set(index, code);
  // The registry named no record, so they are sent one by one to find the faulty ones.
  if (blamed.size === 0) return sendSingly(sync, records.slice(0, singlesMax));
  const judged: Judged[] = [];
  for (const [index, code] of blamed) {
    const record = records[index]!;
    judged.push({ record, verdict: await verdictOnRefusal(sync, record, code) });
  }
  sync.tally.sent += judged.filter(one => one.verdict.state !== 'queued').length;
  await judge(sync, judged);
  return null;
}

/** The quota counts addresses: a RET of a known address still has room and must not wait. */
async function overQuota(sync: Sync, records: QueuedRecord[], code: string): Promise<Failed | null> {
  const consents = records.filter(one => one.status === 'ONAY');
  await judge(
    sync,
    consents.map(record => ({ record, verdict: postponed(code, hourMs) })),
  );
  const refusals = records.filter(one => one.status === 'RET');
  return sendSingly(sync, refusals.slice(0, singlesMax));
}

async function judge(sync: Sync, judged: Judged[]): Promise<void> {
  const { accepted, refused } = await settle(sync.db, judged);
  sync.tally.accepted += accepted;
  sync.tally.refused += refused;
}

function postponed(code: string, afterMs: number): Verdict {
  return { state: 'queued', code, afterMs };
}

function wire({ recipient, recipientType, type, status, source, consentDate }: QueuedRecord): ConsentRecord {
  return { recipient, recipientType, type, status, source, consentDate };
}
