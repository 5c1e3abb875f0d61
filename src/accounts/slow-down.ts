// Slows failed authentications of one address with one key: after 20 in a minute each further answer waits longer, up
// to 2 s. Valid credentials never wait. Processes of a node share their failures (`onFailure`, `hear`), so that the
// count does not depend on the process.

import { keepNewest, limits } from '../limits.ts';
import { monotonicMs } from '../time/clock.ts';

const minuteMs = 60_000;
const trackedMax = 50_000;

type Failures = { count: number; since: number };

export class SlowDown {
  readonly #failures = new Map<string, Failures>();
  readonly #publish: (key: string) => void;

  constructor(publish: (key: string) => void = () => {}) {
    this.#publish = publish;
  }

  /** Counts a failure and returns how long its answer must wait. */
  failed(address: string, key: unknown): number {
    const name = `${address} ${typeof key === 'string' ? key.slice(0, 128) : ''}`;
    this.#publish(name);
    return delayMs(this.hear(name));
  }

  /** Counts a failure of this or another process; returns the count of the current minute. */
  hear(name: string): number {
    const time = monotonicMs();
    const known = this.#failures.get(name);
    if (known && time - known.since < minuteMs) return ++known.count;
    keepNewest(this.#failures, name, { count: 1, since: time }, trackedMax);
    return 1;
  }
}

function delayMs(count: number): number {
  const over = count - limits.authFailuresPerMinute;
  return over <= 0 ? 0 : Math.min(limits.authDelayMaxMs, 250 * 2 ** (over - 1));
}
