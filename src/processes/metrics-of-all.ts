// The metrics of all processes of a node added together for GET /metrics. A process that does not answer (frozen, dying)
// is left out after a moment: metrics matter most when something is wrong.
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue } from 'prom-client';

/** What one process counts, as prom-client writes it down. */
export type ProcessMetrics = MetricObjectWithValues<MetricValue<string>>[];

const answerMaxMs = 2_000;

type Asked = { answers: ProcessMetrics[]; missing: number; finish(): void };

export class MetricsOfAll {
  readonly #asked = new Map<number, Asked>();
  #last = 0;

  /** `ask` puts the question to every process and returns how many were asked. */
  async collect(ask: (id: number) => number): Promise<string> {
    const id = ++this.#last;
    const answers = await new Promise<ProcessMetrics[]>(resolve => {
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
    return AggregatorRegistry.aggregate(answers).metrics();
  }

  hear(id: number, metrics: ProcessMetrics): void {
    const asked = this.#asked.get(id);
    if (!asked) return;
    asked.answers.push(metrics);
    if (--asked.missing === 0) asked.finish();
  }
}
