// Detects a standby that took over without the last writes of its primary (asynchronous replication, or the wrong one promoted):
// sent messages look unsent there, and orders that were answered 200 may be missing. Each process remembers its last confirmed
// write; the log of a database is sequential, so if that write is there, all before it are. Each new connection checks whether the
// timeline has changed. If it has and the write is missing, dispatch is held until an operator decides; otherwise it continues.
// No process knows what the others answered, so on a new timeline ids jump before any process accepts an order there.
import { jumpIds, readTimeline, recogniseHome } from '../db/data-home.ts';
import type { Queryable } from '../db/db.ts';
import type { Log } from '../log.ts';
import { holdAfterLoss } from './dispatch-hold.ts';

/** A sentence that names a confirmed write that is missing; null if none is. */
export type MissingWrites = (db: Queryable) => Promise<string | null>;

export class FailoverCheck {
  /** Set by the process that remembers a write. */
  missing: MissingWrites | undefined;
  readonly #log: Log;
  readonly #leases: boolean;
  #timeline: number | null = null;

  /** `leases`: true in the process that sends, which recognises the database for all. */
  constructor(log: Log, { leases }: { leases: boolean }) {
    this.#log = log;
    this.#leases = leases;
  }

  /** Runs before any other statement of a new connection. */
  readonly look = async (db: Queryable): Promise<void> => {
    const timeline = await readTimeline(db);
    const changed = timeline !== null && this.#timeline !== null && timeline !== this.#timeline;
    const lost = changed && this.missing ? await this.missing(db) : null;
    if (lost !== null) {
      this.#log.error({ lost }, 'THE DATABASE WENT BACK IN TIME: a standby took over without it; sending is held');
      await holdAfterLoss(db, lost);
    }
    if (timeline === null || timeline !== this.#timeline) await jumpIds(db);
    if (this.#leases) await recogniseHome(db, null, changed && this.missing !== undefined && lost === null);
    this.#timeline = timeline ?? this.#timeline;
  };
}
