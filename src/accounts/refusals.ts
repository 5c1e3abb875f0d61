// Refused calls with their true cause, for the owner's API log. They are written in the background once a second. Under a flood
// the surplus is counted instead of stored, so that refusing stays cheap.
import { type Db, rows, run, sql } from '../db/db.ts';
import type { Log } from '../log.ts';
import { entriesDroppedTotal } from '../metrics/metrics.ts';
import { startOfKey } from './credentials.ts';

export type ApiRefusal = {
  accountId: number;
  operation: string;
  code: number;
  cause: string;
  address: string;
  agent: string;
  /** Only if the key is one of ours. */
  key?: string | undefined;
};

const bufferedMax = 1_000;
const flushMs = 500;

const insertRefusals = sql('refusals insert')`
  insert into api_refusals (account_id, operation, code, cause, address, agent, key_start)
  select * from unnest($1::bigint[], $2::text[], $3::integer[], $4::text[], $5::text[], $6::text[], $7::text[])`;

const refusalsOfAccount = sql<ApiRefusal & { at: Date }>('refusals of account')`
  select account_id as "accountId", operation, code, cause, address, agent, at from api_refusals
  where account_id = $1 order by id desc limit $2`;

export class RefusalLog {
  readonly #db: Db;
  readonly #log: Log;
  #buffer: ApiRefusal[] = [];
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(db: Db, log: Log) {
    this.#db = db;
    this.#log = log;
  }

  add(refusal: ApiRefusal): void {
    if (this.#buffer.length >= bufferedMax) this.#dropped++;
    else this.#buffer.push(refusal);
    this.#timer ??= setTimeout(() => void this.flush(), flushMs);
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const batch = this.#buffer;
    this.#buffer = [];
    if (this.#dropped) this.#notStored(this.#dropped, 'too many at once');
    this.#dropped = 0;
    if (batch.length === 0) return;
    try {
      await run(this.#db, insertRefusals, [
        batch.map(one => one.accountId),
        batch.map(one => one.operation),
        batch.map(one => one.code),
        batch.map(one => one.cause),
        batch.map(one => one.address),
        batch.map(one => one.agent),
        batch.map(one => one.key && startOfKey(one.key)),
      ]);
    } catch (error) {
      this.#notStored(batch.length, (error as Error).message);
    }
  }

  #notStored(dropped: number, error: string): void {
    entriesDroppedTotal.inc({ log: 'refusals' }, dropped);
    this.#log.warn({ dropped, error }, 'refusals not stored');
  }
}

export function listRefusals(db: Db, accountId: number, most = 100): Promise<(ApiRefusal & { at: Date })[]> {
  return rows(db, refusalsOfAccount, [accountId, most]);
}
