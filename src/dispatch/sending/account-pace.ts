// An account's pace on the transactional lane within this process. The account's clock in the database grants chunks to
// all processes alike; this keeps the messages of granted chunks apart, so that what piled up behind a full or lost link
// does not leave in one burst when the link is back. The same rule as the clock's: GCRA, a tenth of a second's worth
// (at least 10) may leave at once.
/** The same rule as burst_1's; shared-rules.test.ts compares. */
export function burstOf(ratePerSecond: number): number {
  return Math.max(10, Math.floor(ratePerSecond / 10));
}

export class AccountPace {
  readonly rate: number;
  readonly #stepMs: number;
  readonly #toleranceMs: number;
  /** When the next message would be due if all had left evenly. */
  #dueMs = Number.NEGATIVE_INFINITY;

  constructor(ratePerSecond: number) {
    this.rate = ratePerSecond;
    this.#stepMs = 1_000 / ratePerSecond;
    this.#toleranceMs = burstOf(ratePerSecond) * this.#stepMs;
  }

  allows(nowMs: number): boolean {
    return this.#dueMs - nowMs <= this.#toleranceMs;
  }

  take(nowMs: number): void {
    this.#dueMs = Math.max(this.#dueMs, nowMs) + this.#stepMs;
  }
}

const keptMax = 10_000;

/** The paces of all accounts; those not used for longest are forgotten, which costs at most one burst. */
export class AccountPaces {
  readonly #kept = new Map<number, AccountPace>();

  /** null when there is no pace to keep. */
  of(accountId: number, ratePerSecond: number): AccountPace | null {
    if (ratePerSecond === 0) return null;
    let pace = this.#kept.get(accountId);
    if (pace?.rate !== ratePerSecond) pace = new AccountPace(ratePerSecond);
    this.#kept.delete(accountId);
    this.#kept.set(accountId, pace);
    if (this.#kept.size > keptMax) this.#kept.delete(this.#kept.keys().next().value!);
    return pace;
  }
}
