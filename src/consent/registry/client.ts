// Client of the national consent registry (İYS). Each method is one operation and returns a value, never an exception: ok,
// refused, later, unreachable or unauthorised. All calls share one pacer and one token. Adding uses only the registry's second,
// idempotent form, so that a call with an unknown outcome can be repeated without counting twice.

import { type Log, silentLog } from '../../log.ts';
import { toTurkeyTime } from '../../time/clock.ts';
import {
  type BatchItem,
  type Changes,
  type ConsentAddress,
  type ConsentStatus,
  type ConsentType,
  dateField,
  failureOf,
  field,
  isEmpty,
  type Movement,
  parseJson,
  type RecipientType,
  type RegistryBrand,
  type RegistrySubscription,
  readBatchItem,
  readBrand,
  readChanges,
  readMovement,
  readMovements,
  readSubscription,
  textField,
  unreadable,
} from './answer.ts';
import { reasonOf } from './codes.ts';
import { createWire } from './http.ts';
import type { Failed, Later, Outcome, Refused } from './outcome.ts';
import { type Allowance, createAllowance, createPacer, type RegistryClock, systemClock } from './pace.ts';
import { createTokenSource, type TokenMemory } from './token.ts';

export const registryLimits = {
  requestsPerSecond: 10,
  tokensPerHour: 10,
  statusPerHour: 1_000,
  historyPerHour: 100,
  batchMax: 1_000,
  recipientsMax: 1_000,
  changesMax: 1_000,
  /** Earliest time to ask for a batch's result. */
  resultAfterMs: 300_000,
  timeoutMs: 10_000,
  answerBytesMax: 8 * 1024 * 1024,
  /** A call that would wait longer than this for its turn gets `later`. */
  turnMsMax: 30_000,
};
type RegistryLimits = typeof registryLimits;

type RegistryOptions = {
  baseUrl: string;
  iysCode: number | string;
  username: string;
  password: string;
  clock?: RegistryClock;
  log?: Log;
  limits?: Partial<RegistryLimits>;
  /** Where the token and the count of token requests are kept; by default in this process. */
  tokenMemory?: TokenMemory;
};

/** Source and date may be absent only in the first record of a merchant (TACIR). */
export type ConsentRecord = ConsentAddress & { status: ConsentStatus; source?: string; consentDate?: Date };
export type BrandCode = number | string;
type PushConnection = { url: string; type: ConsentType; username: string; password: string };
export type RegistryClient = ReturnType<typeof createRegistryClient>;

type Answered = Outcome<{ http: number; body: unknown }>;

export function createRegistryClient(options: RegistryOptions) {
  const { baseUrl, iysCode, username, password, clock = systemClock, log = silentLog, tokenMemory } = options;
  const limits = { ...registryLimits, ...options.limits };
  const wire = createWire(baseUrl, limits.timeoutMs, limits.answerBytesMax);
  const pacer = createPacer(limits.requestsPerSecond, limits.turnMsMax, clock);
  const tokens = createTokenSource(wire, pacer, clock, { username, password }, limits.tokensPerHour, tokenMemory);
  const statusHour = createAllowance(limits.statusPerHour, 3_600_000, clock);
  const historyHour = createAllowance(limits.historyPerHour, 3_600_000, clock);
  const own = `/sps/${encodeURIComponent(iysCode)}`;
  const brandPath = (brandCode: BrandCode) => `${own}/brands/${encodeURIComponent(brandCode)}`;

  /** One attempt; a refused token is replaced once. */
  async function call(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Answered> {
    const first = await attempt(method, path, body);
    const answer = first.kind === 'unauthorised' ? await attempt(method, path, body) : first;
    if (answer.kind !== 'ok') log.debug({ path: path.split('?')[0], ...brief(answer) }, 'registry.failed');
    return answer;
  }

  async function attempt(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Answered> {
    const token = await tokens.get();
    if (typeof token !== 'string') return token;
    const queueMs = await pacer.turn();
    if (queueMs > 0) return later('H124', queueMs);
    const exchange = await wire.send(method, path, token, body);
    if ('why' in exchange) return { kind: 'unreachable', ...exchange };
    const { http, text } = exchange;
    const answer = parseJson(text);
    if (http < 200 || http >= 300) return failed(token, failureOf(http, answer));
    await tokens.accept();
    if (answer === undefined && text.trim() !== '') return unreadable('answer is not JSON');
    return { kind: 'ok', http, body: answer };
  }

  async function failed(token: string, failure: Failed): Promise<Failed> {
    if (failure.kind === 'unauthorised') await tokens.reject(token);
    if (failure.kind === 'later' && (failure.code === 'H124' || failure.code === 'H083')) pacer.pause(failure.afterMs);
    return failure;
  }

  function within(hour: Allowance, code: string): Later | null {
    const waitMs = hour.use();
    return waitMs === 0 ? null : later(code, waitMs);
  }

  return {
    async brands(): Promise<Outcome<{ brands: RegistryBrand[] }>> {
      const answer = await call('GET', `${own}/brands`);
      if (answer.kind !== 'ok') return answer;
      if (!Array.isArray(answer.body)) return unreadable('brands are no list');
      return { kind: 'ok', brands: answer.body.map(readBrand).filter(one => one !== null) };
    },

    async addOne(
      brandCode: BrandCode,
      record: ConsentRecord,
    ): Promise<Outcome<{ transactionId: string; creationDate: Date | null }>> {
      const answer = await call('POST', `/v2${brandPath(brandCode)}/consents`, wireRecord(record));
      if (answer.kind !== 'ok') return answer;
      const transactionId = textField(answer.body, 'transactionId');
      if (transactionId === '') return unreadable('no transactionId');
      return { kind: 'ok', transactionId, creationDate: dateField(answer.body, 'creationDate') };
    },

    /** Accepted for processing, not stored yet: `batchResult` has the outcome of each record by its position in the list. */
    async addBatch(
      brandCode: BrandCode,
      records: ConsentRecord[],
    ): Promise<Outcome<{ requestId: string; subRequestIds: string[] }>> {
      if (records.length > limits.batchMax) return refusedHere('H091');
      if (records.length === 0) return refusedHere('H092');
      const answer = await call('POST', `/v2${brandPath(brandCode)}/consents/request`, records.map(wireRecord));
      if (answer.kind !== 'ok') return answer;
      const requestId = textField(answer.body, 'requestId');
      if (requestId === '') return unreadable('no requestId');
      const list = field(answer.body, 'subRequests');
      const subRequestIds = Array.isArray(list) ? list.map(one => textField(one, 'subRequestId')) : [];
      return { kind: 'ok', requestId, subRequestIds };
    },

    /** `items` is null until the registry has finished, and when it no longer knows the request (after 60 days). */
    async batchResult(brandCode: BrandCode, requestId: string): Promise<Outcome<{ items: BatchItem[] | null }>> {
      const path = `/v2${brandPath(brandCode)}/consents/request/${encodeURIComponent(requestId)}`;
      const answer = await call('GET', path);
      if (answer.kind !== 'ok') return answer;
      if (!Array.isArray(answer.body))
        return isEmpty(answer.body) ? { kind: 'ok', items: null } : unreadable('result is no list');
      const items = answer.body.map(readBatchItem).filter(one => one !== null);
      if (items.length !== answer.body.length)
        log.warn({ requestId, entries: answer.body.length }, 'registry.unreadable');
      return { kind: 'ok', items: items.length === 0 ? null : items };
    },

    async statusOf(brandCode: BrandCode, address: ConsentAddress): Promise<Outcome<{ consent: Movement | null }>> {
      const wait = within(statusHour, 'H086');
      if (wait !== null) return wait;
      const answer = await call('POST', `${brandPath(brandCode)}/consents/status`, wireAddress(address));
      if (answer.kind !== 'ok') return isNoRecord(answer) ? { kind: 'ok', consent: null } : answer;
      if (isEmpty(answer.body)) return { kind: 'ok', consent: null };
      const consent = readMovement(answer.body);
      return consent === null ? unreadable('status without a consent') : { kind: 'ok', consent };
    },

    /** Returns which of at most 1,000 recipients consent. Duplicates are asked for once. */
    async approvedOf(
      brandCode: BrandCode,
      recipientType: RecipientType,
      type: ConsentType,
      recipients: string[],
    ): Promise<Outcome<{ approved: Set<string> }>> {
      const wanted = [...new Set(recipients)];
      if (wanted.length === 0) return { kind: 'ok', approved: new Set() };
      if (wanted.length > limits.recipientsMax) return refusedHere('H091');
      const path = `${brandPath(brandCode)}/consents/${recipientType}/status/${type}`;
      const answer = await call('POST', path, { recipients: wanted });
      if (answer.kind !== 'ok') return answer;
      const list = field(answer.body, 'list');
      if (!Array.isArray(list)) return unreadable('status without a list');
      return { kind: 'ok', approved: new Set(list.filter(one => typeof one === 'string')) };
    },

    /** `after` is unchanged if there is nothing new; store it only together with the listed changes. */
    async changes(brandCode: BrandCode, after: string | null, source: 'IYS' | 'HS' = 'IYS'): Promise<Changes> {
      const query = new URLSearchParams({ source, limit: String(limits.changesMax) });
      if (after !== null && after !== '') query.set('after', after);
      const answer = await call('GET', `${brandPath(brandCode)}/consents/changes?${query}`);
      return answer.kind === 'ok' ? readChanges(answer.body, after, log) : answer;
    },

    /** Newest first. */
    async history(
      brandCode: BrandCode,
      address: ConsentAddress,
      limit = 100,
      offset = 0,
    ): Promise<Outcome<{ list: Movement[] }>> {
      const wait = within(historyHour, 'H089');
      if (wait !== null) return wait;
      const path = `${brandPath(brandCode)}/consents/history?${new URLSearchParams({ limit: `${limit}`, offset: `${offset}` })}`;
      const answer = await call('POST', path, wireAddress(address));
      if (answer.kind !== 'ok') return answer;
      return { kind: 'ok', list: readMovements(field(answer.body, 'list')).list };
    },

    async subscription(): Promise<Outcome<{ subscription: RegistrySubscription }>> {
      const answer = await call('GET', `${own}/subscription`);
      if (answer.kind !== 'ok') return answer;
      const status = textField(answer.body, 'status');
      if (status === '') return unreadable('subscription without a status');
      return { kind: 'ok', subscription: readSubscription(answer.body, status) };
    },

    async registerPush(brandCode: BrandCode, connections: PushConnection[]): Promise<Outcome<object>> {
      return bare(await call('POST', `${brandPath(brandCode)}/push/registration`, { connection: connections }));
    },

    async unregisterPush(brandCode: BrandCode, connection: PushConnection): Promise<Outcome<object>> {
      return bare(await call('POST', `${brandPath(brandCode)}/push/unregistration`, connection));
    },

    close: () => wire.close(),
  };
}

/** How the registry reports a missing record is not published; a bare 404 can mean nothing else here. */
function isNoRecord(failure: Failed): boolean {
  return failure.kind === 'refused' && failure.code === 'HTTP 404';
}

function wireAddress({ recipient, recipientType, type }: ConsentAddress) {
  return { recipient, recipientType, type };
}

/** Absent fields stay absent, because the registry rejects null and "". */
function wireRecord(record: ConsentRecord) {
  const { status, source, consentDate } = record;
  return {
    ...wireAddress(record),
    status,
    ...(source === undefined ? {} : { source }),
    ...(consentDate === undefined ? {} : { consentDate: toTurkeyTime(consentDate) }),
  };
}

function refusedHere(code: string): Refused {
  const message = reasonOf(code);
  return { kind: 'refused', scope: 'request', code, message, errors: [{ code, message }] };
}

function later(code: string, afterMs: number): Later {
  return { kind: 'later', code, afterMs };
}

function bare(answer: Answered): Outcome<object> {
  return answer.kind === 'ok' ? { kind: 'ok' } : answer;
}

function brief(failure: Failed): object {
  if (failure.kind === 'refused') return { kind: failure.kind, code: failure.code, errors: failure.errors.length };
  return failure;
}
