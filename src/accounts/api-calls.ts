// Successful calls for the owner's API log. They are gathered in memory and written once a second. Of a busy account only
// `perSecond` calls per process are kept, because a row can cost more than the call; api_usage counts all calls.

import { type Db, run, sql } from '../db/db.ts';
import type { Log } from '../log.ts';
import { entriesDroppedTotal } from '../metrics/metrics.ts';
import { now } from '../time/clock.ts';
import { startOfKey } from './credentials.ts';

export type ApiCallMade = {
  accountId: number;
  operation: string;
  ms: number;
  orderId: number | null;
  key: string | null;
  address: string;
};

const flushMs = 1_000;
const perSecond = 10;
const bufferedMax = 1_000;
export const callsKept = 1_000;
// An account may exceed its limit by this many rows per process before the oldest are removed.
const trimEvery = 200;
const countedMax = 10_000;

const insertSql = sql('api calls insert')`
  insert into api_calls (account_id, at, operation, ms, order_id, key_start, address)
  select * from unnest($1::bigint[], $2::timestamptz[], $3::text[], $4::integer[], $5::bigint[], $6::text[], $7::text[])`;
const trimSql = sql('api calls trim')`
  delete from api_calls c using unnest($1::bigint[]) a(account_id) where c.account_id = a.account_id
    and c.id <= (select k.id from api_calls k where k.account_id = a.account_id order by k.id desc offset $2 limit 1)`;

export class ApiCallLog {
  readonly #db: Db;
  readonly #log: Log;
  #buffer: (ApiCallMade & { at: Date })[] = [];
  /** Calls of each account since the last flush. */
  #taken = new Map<number, number>();
  #sinceTrim = new Map<number, number>();
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(db: Db, log: Log) {
    this.#db = db;
    this.#log = log;
  }

  add(call: ApiCallMade): void {
    const taken = this.#taken.get(call.accountId) ?? 0;
    if (taken >= perSecond) return;
    this.#taken.set(call.accountId, taken + 1);
    const row = { ...call, at: now() };
    // The buffer is full: the newest call replaces the oldest.
    if (this.#buffer.length >= bufferedMax) this.#buffer[this.#dropped++ % bufferedMax] = row;
    else this.#buffer.push(row);
    this.#timer ??= setTimeout(() => void this.flush(), flushMs);
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const batch = this.#take();
    if (batch.length === 0) return;
    try {
      await run(this.#db, insertSql, [
        batch.map(one => one.accountId),
        batch.map(one => one.at.toISOString()),
        batch.map(one => one.operation),
        batch.map(one => one.ms),
        batch.map(one => one.orderId),
        batch.map(one => one.key && startOfKey(one.key)),
        batch.map(one => one.address),
      ]);
      const full = this.#accountsToTrim(batch);
      if (full.length > 0) await run(this.#db, trimSql, [full, callsKept]);
    } catch (error) {
      this.#notStored(batch.length, (error as Error).message);
    }
  }

  #notStored(dropped: number, error: string): void {
    entriesDroppedTotal.inc({ log: 'calls' }, dropped);
    this.#log.warn({ dropped, error }, 'calls not stored');
  }

  #take(): (ApiCallMade & { at: Date })[] {
    if (this.#dropped > 0) this.#notStored(this.#dropped, 'too many at once');
    const oldest = this.#dropped % bufferedMax;
    const batch = [...this.#buffer.slice(oldest), ...this.#buffer.slice(0, oldest)];
    this.#buffer = [];
    this.#dropped = 0;
    this.#taken.clear();
    return batch;
  }

  /** An account counts as full when first seen, because an earlier process may have left rows. */
  #accountsToTrim(batch: ApiCallMade[]): number[] {
    if (this.#sinceTrim.size > countedMax) this.#sinceTrim.clear();
    for (const { accountId } of batch)
      this.#sinceTrim.set(accountId, (this.#sinceTrim.get(accountId) ?? trimEvery) + 1);
    const full = [...new Set(batch.map(one => one.accountId))].filter(id => this.#sinceTrim.get(id)! >= trimEvery);
    for (const id of full) this.#sinceTrim.set(id, 0);
    return full;
  }
}
