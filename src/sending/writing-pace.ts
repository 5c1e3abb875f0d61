// Measures how fast this process writes, and so how far marks must be ahead for writing not to wait for them.
const sampleMs = 50;
/** Time to move a mark, with a margin. */
const leadMs = 12;

export class WritingPace {
  #atMs = Number.NEGATIVE_INFINITY;
  #written = 0;
  #perMs = 0;

  /** `written`: all that was ever written. */
  lead(written: number, nowMs: number): number {
    const passedMs = nowMs - this.#atMs;
    if (passedMs >= sampleMs) {
      this.#perMs = (written - this.#written) / passedMs;
      this.#atMs = nowMs;
      this.#written = written;
    }
    return Math.ceil(this.#perMs * leadMs);
  }
}
