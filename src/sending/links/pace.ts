// How fast a link may submit: the carrier's rate as a token bucket of a tenth of a second, and a limit of our own that halves when the
// carrier throttles and grows by steps otherwise.
import { monotonicMs } from '../../time/clock.ts';

const floorPerSecond = 5;
const halveEveryMs = 500;
const growEveryMs = 500;
const growBy = 1.5;

export class Pace {
  readonly #rate: number;
  readonly #nowMs: () => number;
  #limit = Number.POSITIVE_INFINITY;
  #tokens: number;
  #filledAt: number;
  #throttledAt = Number.NEGATIVE_INFINITY;
  #grownAt = 0;
  #submittedInSecond = 0;
  #secondBegan: number;
  #lastSecond = 0;

  /** Submits per second; 0 or null = as fast as the window allows. */
  constructor(ratePerSecond: number | null, nowMs: () => number = monotonicMs) {
    this.#rate = ratePerSecond || Number.POSITIVE_INFINITY;
    this.#nowMs = nowMs;
    this.#filledAt = this.#secondBegan = nowMs();
    this.#tokens = this.#burst();
  }

  /** Current limit in submits per second; Infinity when there is none. */
  get limit(): number {
    return Math.min(this.#rate, this.#limit);
  }

  /** How many may leave now, at most `wanted`. */
  available(wanted: number): number {
    const limit = this.limit;
    if (limit === Number.POSITIVE_INFINITY) return wanted;
    this.#refill(limit);
    return Math.min(wanted, Math.floor(this.#tokens));
  }

  take(count: number): void {
    const time = this.#nowMs();
    if (time - this.#secondBegan >= 1_000) {
      this.#lastSecond = this.#submittedInSecond;
      this.#submittedInSecond = 0;
      this.#secondBegan = time;
    }
    this.#submittedInSecond += count;
    if (this.limit !== Number.POSITIVE_INFINITY) this.#tokens -= count;
  }

  /** A window full of "throttled" answers arrives together: they count as one. */
  throttled(): void {
    const time = this.#nowMs();
    if (time - this.#throttledAt < halveEveryMs) return;
    this.#throttledAt = time;
    this.#grownAt = time;
    const now = Math.min(this.limit, Math.max(this.#lastSecond, this.#submittedInSecond));
    this.#limit = Math.max(floorPerSecond, now / 2);
    this.#tokens = Math.min(this.#tokens, 0);
    this.#filledAt = time;
  }

  #refill(limit: number): void {
    const time = this.#nowMs();
    if (this.#limit !== Number.POSITIVE_INFINITY && time - this.#grownAt >= growEveryMs) {
      this.#grownAt = time;
      this.#limit *= growBy;
      if (this.#limit > 100_000 || this.#limit >= this.#rate) this.#limit = Number.POSITIVE_INFINITY;
    }
    this.#tokens = Math.min(this.#burst(), this.#tokens + ((time - this.#filledAt) / 1_000) * limit);
    this.#filledAt = time;
  }

  #burst(): number {
    return this.limit === Number.POSITIVE_INFINITY ? 0 : Math.max(1, this.limit / 10);
  }
}
