// Paces the messages of an account on the transactional lane within this process. The account's clock in the database grants chunks
// to all processes; this spaces the messages of granted chunks, so that a backlog behind a full or lost link does not leave in one
// burst. The rules are those of the clock (grant_messages): one time at which the next message is due, and two tolerances. A tenth
// of a second's worth (at least 10) may leave at once. Small orders may borrow a second ahead, for which large ones wait, except for
// a fifth of the rate. Claims pass these numbers to the clock.
import { keepNewest } from '../limits.ts';

export const burstMs = 100;
export const burstLeast = 10;
export const borrowedMs = 1_000;
const largeShare = 5;

export class AccountPace {
  readonly rate: number;
  readonly #stepMs: number;
  readonly #toleranceMs: number;
  /** When the next message is due if all leave evenly. */
  #dueMs = Number.NEGATIVE_INFINITY;
  /** When the next message of large orders is due in any case. */
  #largeDueMs = Number.NEGATIVE_INFINITY;

  constructor(ratePerSecond: number) {
    this.rate = ratePerSecond;
    this.#stepMs = 1_000 / ratePerSecond;
    this.#toleranceMs = Math.max(burstMs, burstLeast * this.#stepMs);
  }

  allows(nowMs: number, small: boolean): boolean {
    const aheadMs = this.#dueMs - nowMs;
    if (small) return aheadMs <= this.#toleranceMs + borrowedMs;
    return aheadMs <= this.#toleranceMs || this.#largeDueMs <= nowMs;
  }

  take(nowMs: number, small: boolean): void {
    this.#dueMs = Math.max(this.#dueMs, nowMs) + this.#stepMs;
    if (!small) this.#largeDueMs = nowMs + largeShare * this.#stepMs;
  }
}

const keptMax = 10_000;

/** The paces of all accounts; the least recently used are dropped, which costs at most one burst. */
export class AccountPaces {
  readonly #kept = new Map<number, AccountPace>();

  /** Null if the account has no rate limit. */
  of(accountId: number, ratePerSecond: number): AccountPace | null {
    if (ratePerSecond === 0) return null;
    const known = this.#kept.get(accountId);
    const pace = known?.rate === ratePerSecond ? known : new AccountPace(ratePerSecond);
    keepNewest(this.#kept, accountId, pace, keptMax);
    return pace;
  }
}
