/* How long the newest deliveries waited for their acknowledgement. */
const KEPT = 50_000;

export class Waits {
  count = 0;
  readonly #ms = new Float64Array(KEPT);

  add(ms: number): void {
    this.#ms[this.count++ % KEPT] = ms;
  }

  forget(): void {
    this.count = 0;
  }

  /* null before the first. */
  percentile(share: number): number | null {
    const kept = Math.min(this.count, KEPT);
    if (kept === 0) return null;
    const sorted = this.#ms.slice(0, kept).sort();
    return sorted[Math.min(kept - 1, Math.floor(kept * share))]!;
  }
}
