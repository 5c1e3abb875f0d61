// Adding consents: one at a time, or a batch whose result can be asked for later. The first form (v1) judges a repeat
// like any other record; the second (v2) recognises an unchanged repeat and answers with the movement already stored.
// Batches are applied when they arrive and only their result waits, so what a test sees does not depend on timing.
import { randomUUID } from 'node:crypto';
import { toTurkeyTime } from '../../src/time/clock.ts';
import { type Answer, type Code, type Fault, ok, refusals, refuse, refuseAll } from './answers.ts';
import type { Movement, Origin } from './movement.ts';
import { brokenForm, brokenState, type Moment, type Raw, recordRules } from './rules.ts';
import { addressesMax, addressKey, type Brand, type Draft, type Store } from './store.ts';

const batchMax = 1_000;
const resultsKeptMax = 300_000;
const resultsKeptMs = 60 * 86_400_000;

type Result = { index: number; subRequestId: string; movement: Movement; repeat: boolean } | Failure;
type Stored = { movement: Movement; repeat: boolean } | { code: Code };
type Failure = { index: number; subRequestId: string; code: Code };
type Batch = { brandCode: number; createdMs: number; second: boolean; results: Result[] };
export type Tally = { records: number; duplicates: number; refused: Record<string, number> };
export type Adding = ReturnType<typeof createAdding>;

const draftOf = (raw: Raw, origin?: Origin): Draft => ({ ...(raw as unknown as Draft), origin });

function isSame(movement: Movement, raw: Raw): boolean {
  const { status, source, sentDate } = movement;
  return status === raw['status'] && source === raw['source'] && sentDate === raw['consentDate'];
}

export function createAdding(store: Store, tally: Tally) {
  const batches = new Map<string, Batch>();
  let resultsKept = 0;

  function judge(brand: Brand, raw: Raw, second: boolean, nowMs: number, origin?: Origin): Stored {
    const stored = brand.addresses.get(addressKey(raw['recipientType'], raw['type'], raw['recipient']));
    const earlier = second ? stored?.movements.find(movement => isSame(movement, raw)) : undefined;
    if (earlier !== undefined) {
      tally.duplicates++;
      return { movement: earlier, repeat: true };
    }
    const code = brokenState(raw, stored);
    if (code !== null) {
      tally.refused[code] = (tally.refused[code] ?? 0) + 1;
      return { code };
    }
    tally.records++;
    return { movement: store.record(brand, draftOf(raw, origin), nowMs), repeat: false };
  }

  function addOne(brand: Brand, limit: number, body: unknown, second: boolean, moment: Moment): Answer {
    if (!isObject(body)) return refuse('H085');
    const faults = brokenForm(recordRules, body, moment);
    if (faults.length > 0) return refuseAll(faults);
    if (!hasRoom(store, brand, [body], limit)) return refuse('H525');
    const done = judge(brand, body, second, moment.nowMs);
    if ('code' in done) return refuse(done.code);
    return ok({ transactionId: done.movement.transactionId, creationDate: done.movement.creationDate });
  }

  function addBatch(brand: Brand, limit: number, body: unknown, second: boolean, moment: Moment): Answer {
    if (!Array.isArray(body) || body.length === 0 || !body.every(isObject)) return refuse('H092');
    if (body.length > batchMax) return refuse(second ? 'H125' : 'H091');
    const faults = batchFaults(body, moment);
    if (faults.length > 0) return refuseAll(faults);
    if (!hasRoom(store, brand, body, limit)) return refuse('H525');
    const requestId = randomUUID();
    const results = body.map((raw, index): Result => {
      const subRequestId = randomUUID();
      return { index, subRequestId, ...judge(brand, raw, second, moment.nowMs, { requestId, subRequestId }) };
    });
    keep(requestId, { brandCode: brand.brandCode, createdMs: moment.nowMs, second, results });
    const creationDate = toTurkeyTime(new Date(moment.nowMs));
    const subRequests = body.map((raw, i) => ({ ...raw, subRequestId: results[i]?.subRequestId, creationDate }));
    return ok({ requestId, subRequests }, 202);
  }

  function keep(requestId: string, batch: Batch): void {
    batches.set(requestId, batch);
    resultsKept += batch.results.length;
    for (const [oldest, { results }] of batches) {
      if (resultsKept <= resultsKeptMax) break;
      batches.delete(oldest);
      resultsKept -= results.length;
    }
  }

  /** Empty while unfinished, and for an id that is unknown, another brand's or too old: the registry says no more. */
  function result(brandCode: number, requestId: string, resultDelayMs: number, nowMs: number): Answer {
    if (requestId.length > 36) return refuse('H198', { location: ['requestId'], value: requestId });
    const batch = batches.get(requestId);
    if (batch === undefined || batch.brandCode !== brandCode) return ok([]);
    const ageMs = nowMs - batch.createdMs;
    if (ageMs < resultDelayMs || ageMs > resultsKeptMs) return ok([]);
    return ok(batch.results.map(one => shownResult(one, requestId, batch.second)));
  }

  return {
    addOne,
    addBatch,
    result,
    clear() {
      batches.clear();
      resultsKept = 0;
    },
  };
}

export function isObject(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function batchFaults(body: Raw[], moment: Moment): Fault[] {
  const seen = new Set<string>();
  return body.flatMap((raw, index) => {
    const faults: Fault[] = brokenForm(recordRules, raw, moment).map(fault => ({ ...fault, index }));
    const key = addressKey(raw['recipientType'], raw['type'], raw['recipient']);
    if (faults.length === 0 && seen.has(key)) faults.push({ code: 'H194', index });
    seen.add(key);
    return faults;
  });
}

function hasRoom(store: Store, brand: Brand, list: Raw[], limit: number): boolean {
  const fresh = list.filter(
    raw => !brand.addresses.has(addressKey(raw['recipientType'], raw['type'], raw['recipient'])),
  );
  if (fresh.length === 0) return true;
  return brand.addresses.size + fresh.length <= limit && store.addressCount() + fresh.length <= addressesMax;
}

// The registry is not of one mind about the key's case; failures of the simulator use the other spelling.
function shownResult(result: Result, requestId: string, second: boolean): Raw {
  const { index, subRequestId } = result;
  if ('code' in result) {
    const { code } = result;
    return { index, status: 'failure', subrequestId: subRequestId, error: { code, message: refusals[code].message } };
  }
  const { movement, repeat } = result;
  const { transactionId, creationDate, origin } = movement;
  const shown: Raw = { index, status: 'success', subRequestId, transactionId, creationDate };
  if (second) Object.assign(shown, { requestId, isAddConsentV2Service: 'true' });
  if (repeat && origin !== undefined) shown['originalRequestInformation'] = origin;
  return shown;
}
