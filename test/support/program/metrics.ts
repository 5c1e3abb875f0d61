// Names of metrics in queries, and the metrics of a running program.
import { type MetricName, metrics } from '../../../src/metrics/table.ts';

/** The metrics in a text of queries; histograms by their own name. */
export function queriedIn(text: string): Set<string> {
  const names = text.match(/\bpeyk_[a-z_]+\b/g) ?? [];
  return new Set(names.map(name => (isMetric(name) ? name : name.replace(/_(bucket|sum|count)$/, ''))));
}

function isMetric(name: string): name is MetricName {
  return Object.hasOwn(metrics, name);
}

/** The value of a metric in the text of /metrics; `labels` as written between the braces. */
export function valueIn(text: string, name: string, labels = ''): number | undefined {
  const wanted = `${name}${labels && `{${labels}}`} `;
  const line = text.split('\n').find(one => one.startsWith(wanted));
  return line === undefined ? undefined : Number(line.slice(wanted.length));
}

/** Whether a metric has a value; of a histogram, at least one observation. */
export function hasValue(text: string, name: string): boolean {
  return new RegExp(`^${name}(_bucket)?(\\{[^}]*\\})? [0-9.e+-]+$`, 'm').test(text);
}
