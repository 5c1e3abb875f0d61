// What is said of a figure: everything that /metrics, the dashboards, the alert rules and the runbook have of it comes from here.

export type Severity = 'critical' | 'warning';

/** `name` is also the heading of its section in docs/runbook.md. */
export type Alert = {
  name: string;
  /** In Prometheus' language; true for `for` before somebody is called. */
  expression: string;
  for: string;
  severity: Severity;
  /** In a sentence, for whoever is called; `{{ $labels.… }}` and `{{ $value }}` are filled in. */
  says: string;
  /** The first thing to do; the runbook has the rest. */
  do: string;
};

export type Unit = 'short' | 's' | 'bytes' | 'percentunit' | 'ops' | 'reqps';

/** How it is drawn: a chart with some lines, each a query and its name. */
export type Drawing = { title: string; unit: Unit; lines: [query: string, legend: string][] };

export type Figure = {
  kind: 'counter' | 'gauge' | 'histogram';
  labels: readonly string[];
  /** In a sentence; also the help text in /metrics. */
  meaning: string;
  /**
   * Counted by each process, and added (or the largest taken) over those of a node; or read from the database when somebody
   * asks, and then the same whichever node is asked: queries take the largest over nodes, never the sum.
   */
  from: 'processes' | 'database';
  together?: 'sum' | 'max' | 'min';
  buckets?: readonly number[];
  drawn?: Drawing;
  alerts?: readonly Alert[];
};

export type Figures = Record<string, Figure>;
