// Finds the primary among several servers: all are asked at once, and the answer is cached until a connection to it fails. If two servers
// accept writes (an old primary that was replaced), the newer timeline wins, and a timeline older than one seen before is ignored.
import { setTimeout as pause } from 'node:timers/promises';
import type { Place } from '../settings/database-places.ts';
import type pg from './driver.ts';
import { ask } from './probe.ts';

/** After the first writable server has answered, the others have this time to answer with a newer timeline. */
const contradictMs = 200;

const standingSql = `select current_setting('transaction_read_only') = 'off' as writes,
  case when not pg_is_in_recovery() then ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end as timeline`;
type Standing = { writes: boolean; timeline: number | null };
type Writer = { place: Place; timeline: number };

/** Chooses one of several servers. */
export type Finder = {
  /** Returns undefined if there is none now. */
  find(): Promise<Place | undefined>;
  /** Asks the servers again; concurrent callers share the answer. */
  look(): Promise<Place | undefined>;
  /** Call when a server refused or ended a connection, or became read-only. */
  forget(place: Place): void;
  /** Calls `moved` when the server changes; the returned function ends that. */
  onMoved?(moved: (place: Place) => void): () => void;
};

export class Primary implements Finder {
  readonly #config: pg.ClientConfig;
  readonly #places: Place[];
  #known: Place | undefined;
  #looking: Promise<Place | undefined> | undefined;
  #newest = 0;

  constructor(config: pg.ClientConfig, places: Place[]) {
    this.#config = config;
    this.#places = places;
  }

  async find(): Promise<Place | undefined> {
    return this.#known ?? this.look();
  }

  look(): Promise<Place | undefined> {
    this.#looking ??= this.#ask().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  forget(place: Place): void {
    if (this.#known === place) this.#known = undefined;
  }

  async #ask(): Promise<Place | undefined> {
    const writers: Writer[] = [];
    let found = () => {};
    const first = new Promise<void>(resolve => {
      found = resolve;
    });
    const all = this.#places.map(async place => {
      const { row } = await ask<Standing>(this.#config, standingSql, place);
      if (!row?.writes || (row.timeline ?? 0) < this.#newest) return;
      writers.push({ place, timeline: row.timeline ?? 0 });
      found();
    });
    await Promise.race([Promise.all(all), first.then(() => pause(contradictMs))]);
    const best = writers.toSorted((a, b) => b.timeline - a.timeline)[0];
    this.#newest = best?.timeline ?? this.#newest;
    this.#known = best?.place;
    return best?.place;
  }
}
