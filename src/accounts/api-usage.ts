// Counts API calls per day, operation and address: who uses a key, from where, and when last. The counts are gathered in memory
// and written every two seconds, one row for any number of equal calls.

import { type Db, rows, run, sql } from '../db/db.ts';
import type { Log } from '../log.ts';
import { now, toTurkeyTime, turkeyDayNo } from '../time/clock.ts';
import { KeyUses } from './key-uses.ts';

const flushMs = 2_000;
const gatheredMax = 5_000;
const keptDays = 30;

type Count = {
  accountId: number;
  day: string;
  operation: string;
  address: string;
  calls: number;
  accepted: number;
  lastAt: Date;
};

const addSql = sql('api usage add')`
  insert into api_usage as u (account_id, day, operation, address, calls, accepted, last_at)
  select * from unnest($1::bigint[], $2::date[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::timestamptz[])
    g(account_id, day, operation, address, calls, accepted, last_at) order by account_id, day, operation, address
  on conflict (account_id, day, operation, address) do update set calls = u.calls + excluded.calls,
    accepted = u.accepted + excluded.accepted,
    last_at = greatest(u.last_at, excluded.last_at)`;
const sweepSql = sql('api usage sweep')`delete from api_usage where account_id = any ($1) and day < $2`;

export class ApiUsage {
  readonly #db: Db;
  readonly #log: Log;
  readonly #keys: KeyUses;
  #counts = new Map<string, Count>();
  #timer: NodeJS.Timeout | undefined;

  constructor(db: Db, log: Log) {
    this.#db = db;
    this.#log = log;
    this.#keys = new KeyUses(db, log);
  }

  /** Counts a call with valid credentials; `key` is null for the login of older clients. */
  add(accountId: number, operation: string, address: string, key: string | null = null): void {
    if (key !== null) this.#keys.add(accountId, key, operation, address);
    this.#count(accountId, operation, address, 1, 0);
  }

  /** Counts a call that was answered 200. */
  accepted(accountId: number, operation: string, address: string): void {
    this.#count(accountId, operation, address, 0, 1);
  }

  /** Counts both at once, for a call whose outcome is already known. */
  addAccepted(accountId: number, operation: string, address: string): void {
    this.#count(accountId, operation, address, 1, 1);
  }

  #count(accountId: number, operation: string, address: string, calls: number, accepted: number): void {
    const time = now();
    const name = `${accountId} ${turkeyDayNo(time)} ${operation} ${address}`;
    const known = this.#counts.get(name);
    if (known) {
      known.calls += calls;
      known.accepted += accepted;
      known.lastAt = time;
    } else if (this.#counts.size < gatheredMax) {
      const day = toTurkeyTime(time).slice(0, 10);
      this.#counts.set(name, { accountId, day, operation, address, calls, accepted, lastAt: time });
    }
    this.#timer ??= setTimeout(() => void this.#flushCounts(), flushMs);
  }

  async flush(): Promise<void> {
    await this.#flushCounts();
    await this.#keys.flush(true);
  }

  async #flushCounts(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const batch = [...this.#counts.values()];
    this.#counts = new Map();
    if (batch.length === 0) return;
    try {
      const column = <V>(pick: (one: Count) => V) => batch.map(pick);
      await run(this.#db, addSql, [
        column(one => one.accountId),
        column(one => one.day),
        column(one => one.operation),
        column(one => one.address),
        column(one => one.calls),
        column(one => one.accepted),
        column(one => one.lastAt.toISOString()),
      ]);
      const oldest = new Date(now().getTime() - keptDays * 86_400_000);
      await run(this.#db, sweepSql, [[...new Set(column(one => one.accountId))], oldest]);
    } catch (error) {
      this.#log.warn({ error: (error as Error).message, lost: batch.length }, 'api usage not stored');
    }
  }
}

/** `calls` had valid credentials; `accepted` of them were answered 200. */
type UsageLine = { operation: string; address: string; calls: number; accepted: number; lastAt: Date };
const listSql = sql<UsageLine>('api usage list')`
  select operation, address, sum(calls)::bigint as calls, sum(accepted)::bigint as accepted, max(last_at) as "lastAt" from api_usage
  where account_id = $1 and day >= $2::date
  group by 1, 2 order by max(last_at) desc limit 500`;

export function listUsage(db: Db, accountId: number, since: Date): Promise<UsageLine[]> {
  return rows(db, listSql, [accountId, toTurkeyTime(since).slice(0, 10)]);
}
