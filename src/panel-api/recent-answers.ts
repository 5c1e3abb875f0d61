// Sums that many tabs ask for at once are counted once: an answer is kept for a few seconds, and whoever asks while it is
// being made waits for the same one.
import { monotonicMs } from '../clock.ts';

const keptMax = 2_000;

export class RecentAnswers {
  readonly #kept = new Map<string, { until: number; answer: Promise<unknown> }>();

  get<T>(name: string, keepMs: number, make: () => Promise<T>): Promise<T> {
    const known = this.#kept.get(name);
    if (known && known.until > monotonicMs()) return known.answer as Promise<T>;
    const answer = make();
    this.#kept.delete(name);
    this.#kept.set(name, { until: monotonicMs() + keepMs, answer });
    if (this.#kept.size > keptMax) this.#kept.delete(this.#kept.keys().next().value!);
    answer.catch(() => this.#kept.delete(name));
    return answer;
  }
}
