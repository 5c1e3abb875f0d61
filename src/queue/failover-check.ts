// A standby that takes over may lack the last of what its primary had stored: asynchronous replication, a promotion of the wrong one.
// What was sent since looks unsent there, what was answered 200 may be gone. Each process knows what it was last told to be
// stored; the log of a database is one line, so if that is there, everything before it is. Each new connection looks whether the
// timeline has changed since; if so and something is missing, dispatch is held until an operator decides. If nothing is, it goes on.
import { readTimeline, recogniseHome } from '../db/data-home.ts';
import type { Queryable } from '../db/db.ts';
import type { Log } from '../log.ts';
import { holdAfterLoss } from './dispatch-hold.ts';

/** What of that which we were told is stored is missing here, in words; null when nothing is. */
export type MissingWrites = (db: Queryable) => Promise<string | null>;

export class FailoverCheck {
  /** Set by whoever knows something. */
  missing: MissingWrites | undefined;
  readonly #log: Log;
  readonly #leases: boolean;
  #timeline: number | null = null;

  /** `leases`: of the process that sends, whose word counts for the whole. */
  constructor(log: Log, { leases }: { leases: boolean }) {
    this.#log = log;
    this.#leases = leases;
  }

  /** Before anything else is asked over a new connection. */
  readonly look = async (db: Queryable): Promise<void> => {
    const timeline = await readTimeline(db);
    const changed = timeline !== null && this.#timeline !== null && timeline !== this.#timeline;
    const lost = changed && this.missing ? await this.missing(db) : null;
    if (lost !== null) {
      this.#log.error({ lost }, 'THE DATABASE WENT BACK IN TIME: a standby took over without it; sending is held');
      await holdAfterLoss(db, lost);
    }
    if (this.#leases) await recogniseHome(db, null, changed && this.missing !== undefined && lost === null);
    this.#timeline = timeline ?? this.#timeline;
  };
}
