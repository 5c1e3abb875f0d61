// Sums that many tabs ask for at once are counted once: an answer is kept for a few seconds, or ten times as long as it took, and whoever asks while it is
// being made waits for the same one. Kept for each database: an account that moved is asked about in its new one.
import { monotonicMs } from '../time/clock.ts';

const keptMax = 2_000;
// What took long to count is kept longer, so that whoever leaves a page open takes a tenth of a core at most.
const keptPerSpent = 10;

type Kept = Map<string, { until: number; answer: Promise<unknown> }>;

export class RecentAnswers {
  readonly #kept = new WeakMap<object, Kept>();

  get<T>(db: object, name: string, keepMs: number, make: () => Promise<T>): Promise<T> {
    const kept = this.#of(db);
    const known = kept.get(name);
    if (known && known.until > monotonicMs()) return known.answer as Promise<T>;
    const startedMs = monotonicMs();
    const answer = make();
    const entry = { until: Number.POSITIVE_INFINITY, answer };
    kept.delete(name);
    kept.set(name, entry);
    if (kept.size > keptMax) kept.delete(kept.keys().next().value!);
    answer.then(
      () => {
        const endedMs = monotonicMs();
        entry.until = Math.max(startedMs + keepMs, endedMs + (endedMs - startedMs) * keptPerSpent);
      },
      () => kept.get(name) === entry && kept.delete(name),
    );
    return answer;
  }

  #of(db: object): Kept {
    const kept = this.#kept.get(db) ?? new Map();
    this.#kept.set(db, kept);
    return kept;
  }
}
