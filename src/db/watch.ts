// Checks whether the server answers at all. A statement without an answer for some seconds may be slow, or its server may hang (paused, a
// dead disk, a network that drops packets); another connection finds out. If the server hangs, running statements are given up at once and
// no new ones are sent until it answers again: callers get 503 within ten seconds instead of queueing. Of several servers the primary must
// answer, and statements that wait for another server are given up too.

import type { Place } from '../settings/database-places.ts';
import { monotonicMs } from '../time/clock.ts';
import type pg from './driver.ts';
import type { Finder } from './primary.ts';
import { ask } from './probe.ts';

/** No answer came within the limit. The statement may have been executed, or may still be. */
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

  /** A session got an answer: the server is there, even if a new connection takes long. */
  heard(): void {
    this.#heardAt = monotonicMs();
  }

  /** Checks the server; concurrent callers share the answer. Without an answer all our sessions are ended. */
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

/** An error of the server is an answer, a refused connection is not. */
async function isThere(config: pg.ClientConfig): Promise<boolean> {
  const { row, refused, heldUp } = await ask(config, 'select 1');
  return row !== undefined || refused === true || heldUp === true;
}
