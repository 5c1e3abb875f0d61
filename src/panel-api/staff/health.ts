// The metrics of /metrics for the health page: the same values, from the same query.
import { rows, sql } from '../../db/db.ts';
import type { Counted } from '../../metrics/metrics.ts';
import { laneNames } from '../../metrics/stored/database-metrics.ts';
import type { MetricName } from '../../metrics/table.ts';
import { everywhere } from '../call/cells.ts';
import type { Handlers, UserCall } from '../call/context.ts';
import { sumsByTime } from './carrier-history.ts';
import type { Health } from './health-contract.ts';

const tablesShown = 12;

type MinuteRow = {
  at: Date;
  submitted: number;
  receipts: number;
  errors: number;
  waiting: number;
  lagMs: number;
  lags: number;
};
const hourSql = sql<MinuteRow>('staff health hour')`
  select s.at, coalesce(sum(m.submitted), 0)::float8 as submitted, coalesce(sum(m.receipts), 0)::float8 as receipts,
    coalesce(sum(m.refused + m.undelivered), 0)::float8 as errors, coalesce(max(m.waiting), 0)::float8 as waiting,
    coalesce(sum(m.lag_ms), 0)::float8 as "lagMs", coalesce(sum(m.lag_count), 0)::float8 as lags
  from (select date_trunc('minute', now()) - make_interval(mins => i) as at from generate_series(0, 59) i) s
  left join carrier_minutes m on m.minute = s.at group by s.at order by s.at`;

export const staffHealthHandlers = {
  async 'staff.health'(call) {
    const metrics = new MetricReader(await call.metrics());
    const { value, sum } = metrics;
    return {
      at: call.now.toISOString(),
      live: value('peyk_node_live') === 1,
      databaseAnswers: metrics.cells().every(cell => value('peyk_database_answers', { cell }) === 1),
      counts: {
        requests: sum('peyk_api_request_seconds', {}, '_count'),
        failed: sum('peyk_api_request_seconds', { code: '503' }, '_count'),
        submitted: sum('peyk_submitted_total'),
        receipts: sum('peyk_receipts_total'),
        settled: sum('peyk_settled_total'),
        posts: sum('peyk_webhook_posts_total'),
        restarts: sum('peyk_process_restarts_total'),
      },
      settleSeconds: metrics.average('peyk_settle_seconds', {}),
      lanes: laneNames.map(lane => ({
        lane,
        messages: value('peyk_queue_messages', { lane }),
        oldestSeconds: metrics.largest('peyk_queue_oldest_seconds', { lane }),
        quarantined: value('peyk_queue_quarantined_chunks', { lane }),
      })),
      carriers: metrics.labels('carrier', 'peyk_links_wanted', 'peyk_links_bound').map(name => carrier(metrics, name)),
      webhooks: {
        backlog: value('peyk_webhook_backlog'),
        oldestSeconds: metrics.largest('peyk_webhook_oldest_seconds'),
        failing: value('peyk_webhook_addresses_failing', { state: 'failing' }),
        paused: value('peyk_webhook_addresses_failing', { state: 'paused' }),
      },
      registry: {
        waiting: value('peyk_registry_waiting'),
        lagSeconds: metrics.largest('peyk_registry_lag_seconds'),
        trouble: value('peyk_registry_trouble') > 0,
      },
      pools: metrics.labels('pool', 'peyk_pool_connections_max').map(name => ({
        name,
        used: value('peyk_pool_connections', { pool: name, state: 'used' }),
        max: value('peyk_pool_connections_max', { pool: name }),
        waiting: value('peyk_pool_waiting', { pool: name }),
      })),
      processes: metrics.labels('role', 'peyk_memory_bytes').map(role => ({
        role,
        delaySeconds: value('peyk_event_loop_delay_seconds', { role }),
        memoryBytes: value('peyk_memory_bytes', { role }),
      })),
      database: {
        bytes: value('peyk_database_bytes'),
        oldestTransactionSeconds: metrics.largest('peyk_database_oldest_transaction_seconds'),
        connections: value('peyk_database_connections'),
        connectionsMax: value('peyk_database_connections_max'),
      },
      cells: metrics.cells().map(cell => ({
        cell: Number(cell),
        answers: value('peyk_database_answers', { cell }) === 1,
        waiting: value('peyk_queue_messages', { cell }),
        bytes: value('peyk_database_bytes', { cell }),
        connections: value('peyk_database_connections', { cell }),
        connectionsMax: value('peyk_database_connections_max', { cell }),
      })),
      tables: largestTables(metrics),
      hour: await lastHour(call),
    };
  },
} satisfies Partial<Handlers>;

function carrier(metrics: MetricReader, name: string): Health['carriers'][number] {
  const of = (metric: MetricName) => metrics.value(metric, { carrier: name });
  const [submitted, receipts] = [of('peyk_submitted_total'), of('peyk_receipts_total')];
  const said = submitted + receipts;
  return {
    name,
    bound: of('peyk_links_bound'),
    wanted: of('peyk_links_wanted'),
    windowUsed: of('peyk_window_used'),
    windowSize: of('peyk_window_size'),
    submitted,
    receipts,
    lagSeconds: metrics.average('peyk_receipt_lag_seconds', { carrier: name }),
    errorShare: said === 0 ? null : (of('peyk_refused_total') + of('peyk_undelivered_total')) / said,
  };
}

function largestTables(metrics: MetricReader): Health['tables'] {
  const all = metrics.labels('table', 'peyk_table_bytes').map(table => ({
    table,
    rows: metrics.value('peyk_table_rows', { table }),
    deadRows: metrics.value('peyk_table_dead_rows', { table }),
    bytes: metrics.value('peyk_table_bytes', { table }),
  }));
  return all.sort((a, b) => b.bytes - a.bytes || (a.table < b.table ? -1 : 1)).slice(0, tablesShown);
}

async function lastHour(call: UserCall): Promise<Health['hour']> {
  const found = sumsByTime(await everywhere(call, db => rows(db, hourSql)));
  return found.map(({ at, lagMs, lags, ...sums }) => ({
    ...sums,
    at: at.toISOString(),
    lagSeconds: lags === 0 ? null : lagMs / lags / 1_000,
  }));
}

type Labels = Record<string, string>;

/** Metrics in prom-client's JSON form, read by name and labels. */
class MetricReader {
  readonly #values: Map<string, Counted[number]['values']>;

  constructor(counted: Counted) {
    this.#values = new Map(counted.map(one => [one.name, one.values]));
  }

  /** 0 if there is no value. */
  value = (name: MetricName, labels: Labels = {}): number => this.sum(name, labels);

  /** The sum over all values with these labels; `part` of a histogram. */
  sum = (name: MetricName, labels: Labels = {}, part = ''): number => {
    let sum = 0;
    for (const one of this.#values.get(name) ?? []) {
      const its = one.labels as Labels;
      if (part !== '' && (one as { metricName?: string }).metricName !== name + part) continue;
      if (Object.entries(labels).every(([label, value]) => its[label] === value)) sum += one.value;
    }
    return sum;
  };

  largest(name: MetricName, labels: Labels = {}): number {
    return Math.max(0, ...this.cells().map(cell => this.sum(name, { ...labels, cell })));
  }

  /** The databases that the node queries, including ones that do not answer. */
  cells(): string[] {
    return this.labels('cell', 'peyk_database_answers');
  }

  average(name: MetricName, labels: Labels): number | null {
    const count = this.sum(name, labels, '_count');
    return count === 0 ? null : this.sum(name, labels, '_sum') / count;
  }

  /** The values of a label in any of these metrics, sorted. */
  labels(label: string, ...names: MetricName[]): string[] {
    const all = names.flatMap(name => this.#values.get(name) ?? []).map(one => (one.labels as Labels)[label]);
    return [...new Set(all.filter(one => one !== undefined))].sort();
  }
}
