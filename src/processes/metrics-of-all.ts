// Aggregates the metrics of all processes of a node for GET /metrics. A process that does not answer within a moment (frozen,
// dying) is left out, because metrics matter most during a failure.
import type { Counted } from '../metrics/metrics.ts';

const answerMaxMs = 2_000;

type Asked = { answers: Counted[]; missing: number; finish(): void };

export class MetricsOfAll {
  readonly #asked = new Map<number, Asked>();
  #last = 0;

  /** `ask` sends the question to every process and returns how many were asked. */
  collect(ask: (id: number) => number): Promise<Counted[]> {
    const id = ++this.#last;
    return new Promise<Counted[]>(resolve => {
      const timer = setTimeout(() => asked.finish(), answerMaxMs);
      const asked: Asked = {
        answers: [],
        missing: 0,
        finish: () => {
          clearTimeout(timer);
          this.#asked.delete(id);
          resolve(asked.answers);
        },
      };
      this.#asked.set(id, asked);
      asked.missing = ask(id);
      if (asked.missing === 0) asked.finish();
    });
  }

  receive(id: number, metrics: Counted): void {
    const asked = this.#asked.get(id);
    if (!asked) return;
    asked.answers.push(metrics);
    if (--asked.missing === 0) asked.finish();
  }
}
