// Caches sums that many tabs ask for: an answer is kept for a few seconds, or ten times as long as it took, and concurrent
// callers wait for the same one. Kept per database: the answers of an account that moved come from its new one.
import { keepNewest } from '../../limits.ts';
import { monotonicMs } from '../../time/clock.ts';

const keptMax = 2_000;
// Expensive counts are kept longer, so that an open page uses at most a tenth of a core.
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
    keepNewest(kept, name, entry, keptMax);
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
