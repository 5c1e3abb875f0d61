// The metrics that this process counts, created from the table (src/metrics); the first process of a node aggregates
// those of all processes for GET /metrics.
import { statfsSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  register,
} from 'prom-client';
import type { Metric } from './metric.ts';
import { type LabelOf, type MetricName, metrics } from './table.ts';

// prom-client's own measurement of the event loop wakes an idle process a hundred times a second; measureProcess is enough.
collectDefaultMetrics({ prefix: 'peyk_', eventLoopMonitoringPrecision: 60_000 });
for (const name of ['', '_min', '_max', '_mean', '_stddev', '_p50', '_p90', '_p99'])
  register.removeSingleMetric(`peyk_nodejs_eventloop_lag${name}_seconds`);

type Collect<Label extends string> = (gauge: Gauge<Label>) => void;

function settingsOf<Name extends MetricName>(name: Name) {
  const { meaning: help, labels, together = 'sum' }: Metric = metrics[name];
  return { name, help, labelNames: [...labels] as LabelOf<Name>[], aggregator: together } as const;
}

function counter<Name extends MetricName>(name: Name): Counter<LabelOf<Name>> {
  return new Counter(settingsOf(name));
}

function histogram<Name extends MetricName>(name: Name): Histogram<LabelOf<Name>> {
  const { buckets = [] }: Metric = metrics[name];
  return new Histogram({ ...settingsOf(name), buckets: [...buckets] });
}

/** `collect` sets the values on each scrape. A name exists once per process. */
export function gauge<Name extends MetricName>(name: Name, collect?: Collect<LabelOf<Name>>): Gauge<LabelOf<Name>> {
  const known = register.getSingleMetric(name) as Gauge<LabelOf<Name>> | undefined;
  if (known) return known;
  return new Gauge({
    ...settingsOf(name),
    ...(collect
      ? {
          collect() {
            collect(this);
          },
        }
      : {}),
  });
}

export const requestSeconds = histogram('peyk_api_request_seconds');
export const panelRequestsTotal = counter('peyk_panel_requests_total');

export const settledTotal = counter('peyk_settled_total');
export const resentTotal = counter('peyk_resent_total');
export const settleSeconds = histogram('peyk_settle_seconds');

export const linksBound = gauge('peyk_links_bound');
export const windowUsed = gauge('peyk_window_used');
export const windowSize = gauge('peyk_window_size');
export const unmatchedTotal = counter('peyk_receipts_unmatched_total');
export const mismatchedTotal = counter('peyk_receipts_mismatched_total');
export const setAsideTotal = counter('peyk_set_aside_total');
export const receiptLag = histogram('peyk_receipt_lag_seconds');
/** Read from the counters of the links. */
export const carrierTotals = {
  submitted: counter('peyk_submitted_total'),
  receipts: counter('peyk_receipts_total'),
  throttled: counter('peyk_throttled_total'),
  refused: counter('peyk_refused_total'),
  undelivered: counter('peyk_undelivered_total'),
};

export const webhookPostsTotal = counter('peyk_webhook_posts_total');
for (const outcome of ['delivered', 'failed']) webhookPostsTotal.inc({ outcome }, 0);

export const smppSubmitsTotal = counter('peyk_smpp_submits_total');
export const smppBindsRefusedTotal = counter('peyk_smpp_binds_refused_total');
export const smppDeliveriesTotal = counter('peyk_smpp_deliveries_total');
smppSubmitsTotal.inc({ status: 'ESME_ROK' }, 0);
smppBindsRefusedTotal.inc({ cause: 'smpp-wrong-password' }, 0);
smppDeliveriesTotal.inc({ outcome: 'taken' }, 0);

export const entriesDroppedTotal = counter('peyk_log_entries_dropped_total');
for (const log of ['refusals', 'calls', 'strangers']) entriesDroppedTotal.inc({ log }, 0);

export const restartsTotal = counter('peyk_process_restarts_total');

type PoolUse = { name: string; used: number; idle: number; max: number; waiting: number };

/** Hidden until it is set again. */
export function forgetMetric(name: MetricName): void {
  register.removeSingleMetric(name);
}

/** Ten wake-ups a second; the alert threshold is half a second. */
const delayResolutionMs = 100;

/** The free share of the disk that holds this folder. */
export function measureDisk(folder: string): void {
  gauge('peyk_disk_free_ratio', one => {
    const { bavail, blocks } = statfsSync(folder);
    one.set(bavail / blocks);
  });
}

/** Resources of the process, measured on each scrape. `pools`: several may have the same name. */
export function measureProcess(role: string, pools: () => PoolUse[]): void {
  const delay = monitorEventLoopDelay({ resolution: delayResolutionMs });
  delay.enable();
  gauge('peyk_event_loop_delay_seconds', one => {
    // The measured time between two ticks includes the intended pause.
    one.set({ role }, Math.max(0, delay.percentile(99) / 1e9 - delayResolutionMs / 1_000));
    delay.reset();
  });
  gauge('peyk_memory_bytes', one => one.set({ role }, process.memoryUsage.rss()));
  gauge('peyk_pool_connections', one => {
    one.reset();
    for (const { name: pool, used, idle } of pools()) {
      one.inc({ pool, state: 'used' }, used);
      one.inc({ pool, state: 'idle' }, idle);
    }
  });
  gauge('peyk_pool_connections_max', one => sumOver(one, pools(), 'max'));
  gauge('peyk_pool_waiting', one => sumOver(one, pools(), 'waiting'));
}

function sumOver(one: Gauge<'pool'>, pools: PoolUse[], what: 'max' | 'waiting'): void {
  one.reset();
  for (const use of pools) one.inc({ pool: use.name }, use[what]);
}

/** Metrics of one process, or of several aggregated, in prom-client's JSON form. */
export type Counted = MetricObjectWithValues<MetricValue<string>>[];

export async function countedHere(): Promise<Counted> {
  return register.getMetricsAsJSON();
}

export function addTogether(all: Counted[]): Promise<Counted> {
  return AggregatorRegistry.aggregate(all).getMetricsAsJSON();
}

/** The Prometheus text format. */
export function asText(counted: Counted): Promise<string> {
  return AggregatorRegistry.aggregate([counted]).metrics();
}
