// Which of several servers takes writes at this moment. Asked of all of them at once, remembered until somebody who trusted it
// was disappointed. Should two of them take writes (an old primary that does not know yet that it was replaced), the newer
// timeline wins, and one older than what was seen before is never believed.
import { setTimeout as pause } from 'node:timers/promises';
import type { Place } from '../settings/database-places.ts';
import type pg from './driver.ts';
import { ask } from './probe.ts';

/** After the first that takes writes has answered, the others may contradict for so long. */
const contradictMs = 200;

const standingSql = `select current_setting('transaction_read_only') = 'off' as writes,
  case when not pg_is_in_recovery() then ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end as timeline`;
type Standing = { writes: boolean; timeline: number | null };
type Writer = { place: Place; timeline: number };

/** Which server to connect to, of several. */
export type Finder = {
  /** undefined: none at this moment. */
  find(): Promise<Place | undefined>;
  /** Asks again, for all who want to know at this moment. */
  look(): Promise<Place | undefined>;
  /** It did not take a connection, ended one, or no longer writes. */
  forget(place: Place): void;
  /** Tells when it is another one by itself; what is returned ends that. */
  onMoved?(told: (place: Place) => void): () => void;
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
