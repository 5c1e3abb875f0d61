// How long a carrier takes from its answer to its receipt, by a sample: a few messages at a time are watched per carrier,
// whatever the load, so that it costs a look into a small map per receipt and nothing else.

import { receiptLag } from '../metrics/metrics.ts';
import { monotonicMs } from '../time/clock.ts';

const watchedMax = 16;
// A receipt that overtook its answer, or never comes, must not be waited for while others could be measured: patience is
// twice the lag that was measured last, and doubles while nothing is.
const patienceMinMs = 2_000;
const patienceMaxMs = 600_000;

export class LagProbe {
  readonly #onLag: (seconds: number) => void;
  #sumMs = 0;
  #count = 0;
  #patienceMs = patienceMinMs;
  readonly #watched = new Map<string, number>();

  constructor(onLag: (seconds: number) => void = () => {}) {
    this.#onLag = onLag;
  }

  /** Of an accepted submit; `id` is only made where a sample is wanted. */
  answered(id: () => string): void {
    if (this.#watched.size >= watchedMax) {
      const [oldest, sinceMs] = this.#watched.entries().next().value!;
      if (monotonicMs() - sinceMs < this.#patienceMs) return;
      this.#watched.delete(oldest);
      // Once around all of them it has doubled.
      this.#patienceMs = Math.min(patienceMaxMs, this.#patienceMs * 2 ** (1 / watchedMax));
    }
    this.#watched.set(id(), monotonicMs());
  }

  /** Of a final receipt. */
  reported(id: string): void {
    const sinceMs = this.#watched.get(id);
    if (sinceMs === undefined) return;
    this.#watched.delete(id);
    const lagMs = Math.round(monotonicMs() - sinceMs);
    this.#patienceMs = Math.min(patienceMaxMs, Math.max(patienceMinMs, 2 * lagMs));
    this.#sumMs += lagMs;
    this.#count++;
    this.#onLag(lagMs / 1_000);
  }

  /** What was measured and not told yet. */
  measured(): { sumMs: number; count: number } {
    return { sumMs: this.#sumMs, count: this.#count };
  }

  told({ sumMs, count }: { sumMs: number; count: number }): void {
    this.#sumMs -= sumMs;
    this.#count -= count;
  }
}

// Receipts may come over another bind than the submit.
const probes = new Map<number, LagProbe>();

/** `carrier`: its name, under which lags are shown. */
export function lagProbeOf(carrierId: number, carrier = ''): LagProbe {
  const known = probes.get(carrierId) ?? new LagProbe(seconds => receiptLag.observe({ carrier }, seconds));
  probes.set(carrierId, known);
  return known;
}
