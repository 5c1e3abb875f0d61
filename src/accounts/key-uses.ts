// When each key was last used, from where and for what. Uses are gathered in memory. A key's row is written at most once a
// minute, but the first use after a pause within two seconds, so that a new key shows its first call.

import { type Db, run, sql } from '../db/db.ts';
import type { Log } from '../log.ts';
import { now } from '../time/clock.ts';

const flushMs = 2_000;
const writeEveryMs = 60_000;
const keptMax = 10_000;

type Use = { accountId: number; key: string; at: number; address: string; operation: string };

const putSql = sql('key uses put')`
  insert into credential_uses as u (account_id, key, last_at, address, operation)
  select g.* from unnest($1::bigint[], $2::text[], $3::timestamptz[], $4::text[], $5::text[])
    g(account_id, key, last_at, address, operation) order by g.account_id, g.key
  on conflict (account_id, key) do update set last_at = excluded.last_at, address = excluded.address,
    operation = excluded.operation where excluded.last_at > u.last_at`;

export class KeyUses {
  readonly #db: Db;
  readonly #log: Log;
  #fresh = new Map<string, Use>();
  #written = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(db: Db, log: Log) {
    this.#db = db;
    this.#log = log;
  }

  add(accountId: number, key: string, operation: string, address: string): void {
    const known = this.#fresh.get(key);
    if (known) {
      known.at = now().getTime();
      known.address = address;
      known.operation = operation;
    } else if (this.#fresh.size < keptMax)
      this.#fresh.set(key, { accountId, key, at: now().getTime(), address, operation });
    this.#timer ??= setTimeout(() => void this.flush(), flushMs);
  }

  /** Writes the rows that are due, or all of them when the process ends. */
  async flush(all = false): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const time = now().getTime();
    const isDue = (key: string) => all || time - (this.#written.get(key) ?? 0) >= writeEveryMs;
    const due = [...this.#fresh.values()].filter(one => isDue(one.key));
    if (this.#written.size + due.length > keptMax) this.#written.clear();
    for (const { key } of due) {
      this.#fresh.delete(key);
      this.#written.set(key, time);
    }
    if (this.#fresh.size > 0) this.#timer = setTimeout(() => void this.flush(), flushMs);
    if (due.length === 0) return;
    try {
      await run(this.#db, putSql, [
        due.map(one => one.accountId),
        due.map(one => one.key),
        due.map(one => new Date(one.at).toISOString()),
        due.map(one => one.address),
        due.map(one => one.operation),
      ]);
    } catch (error) {
      this.#log.warn({ error: (error as Error).message, lost: due.length }, 'uses of keys not stored');
    }
  }
}
