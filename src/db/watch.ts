// Is the server there at all? A statement that is silent for some seconds may be long, or its server may be hung (frozen, a
// dead disk, a network that swallows everything). Another connection tells them apart. When nobody is there, everything
// under way is given up at once, and nothing new is tried until somebody answers again: callers are told 503 within ten
// seconds instead of queueing one behind the other for as long as each may wait. Of several servers the one that takes
// writes must be there, and what waits for another is given up too.

import type { Place } from '../settings/database-places.ts';
import { monotonicMs } from '../time/clock.ts';
import type pg from './driver.ts';
import type { Finder } from './primary.ts';
import { ask } from './probe.ts';

/** Nobody answered within the time that we wait. What was sent may have been done, or may yet be. */
export class DatabaseSilent extends Error {}

const askAgainMs = 500;

type GivenUp = { readonly place: Place | undefined; giveUp(error: Error): void };

export class Watch {
  silent = false;
  readonly #config: pg.ClientConfig;
  readonly #primary: Finder | undefined;
  readonly #sessions = new Set<GivenUp>();
  #asking: Promise<boolean> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  readonly #unfollow: (() => void) | undefined;
  #heardAt = Number.NEGATIVE_INFINITY;

  constructor(config: pg.ClientConfig, primary?: Finder) {
    this.#config = config;
    this.#primary = primary;
    this.#unfollow = primary?.onMoved?.(place => this.#giveUpElsewhere(place));
  }

  add(session: GivenUp): void {
    this.#sessions.add(session);
  }

  remove(session: GivenUp): void {
    this.#sessions.delete(session);
  }

  /** Some session got an answer: somebody is there, however long a new connection may take. */
  heard(): void {
    this.#heardAt = monotonicMs();
  }

  /** Asks for all who want to know at this moment. If nobody answers, every session of ours is given up. */
  answers(): Promise<boolean> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#unfollow?.();
  }

  async #ask(): Promise<boolean> {
    const begun = monotonicMs();
    const place = await this.#primary?.look();
    const there = this.#primary ? place !== undefined : await isThere(this.#config);
    const answered = there || this.#heardAt > begun;
    if (this.#stopped) return answered;
    this.silent = !answered;
    if (!answered) this.#giveUp([...this.#sessions]);
    else if (place) this.#giveUpElsewhere(place);
    if (answered) return true;
    this.#timer = setTimeout(() => void this.answers(), askAgainMs);
    this.#timer.unref();
    return false;
  }

  #giveUpElsewhere(place: Place): void {
    this.#giveUp([...this.#sessions].filter(one => one.place && one.place !== place));
  }

  #giveUp(sessions: GivenUp[]): void {
    const error = new DatabaseSilent('the database does not answer');
    for (const one of sessions) one.giveUp(error);
  }
}

/** A refusal is an answer too, but not that of an empty port. */
async function isThere(config: pg.ClientConfig): Promise<boolean> {
  const { row, refused, heldUp } = await ask(config, 'select 1');
  return row !== undefined || refused === true || heldUp === true;
}
