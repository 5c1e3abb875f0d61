// The description of a metric. /metrics, the dashboards, the alert rules and the runbook take everything from here.

type Severity = 'critical' | 'warning';

/** `name` is also the heading of its section in docs/runbook.md. */
export type Alert = {
  name: string;
  /** A PromQL expression; it must be true for `for` before the alert fires. */
  expression: string;
  for: string;
  severity: Severity;
  /** One sentence for the person on call; `{{ $labels.… }}` and `{{ $value }}` are filled in. */
  says: string;
  /** The first step; the runbook has the rest. */
  do: string;
};

type Unit = 'short' | 's' | 'bytes' | 'percentunit' | 'ops' | 'reqps';

/** A chart of the dashboard: its lines, each a query and its name. */
type Drawing = { title: string; unit: Unit; lines: [query: string, legend: string][] };

export type Metric = {
  kind: 'counter' | 'gauge' | 'histogram';
  labels: readonly string[];
  /** One sentence; also the help text in /metrics. */
  meaning: string;
  /**
   * Either counted by each process and aggregated (sum or maximum) over the processes of a node, or read from the database on
   * each scrape. The latter is equal on all nodes, so queries take its maximum over nodes, never the sum.
   */
  from: 'processes' | 'database';
  together?: 'sum' | 'max' | 'min';
  buckets?: readonly number[];
  drawn?: Drawing;
  alerts?: readonly Alert[];
};

export type Metrics = Record<string, Metric>;
