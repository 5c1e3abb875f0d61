// Counters and gauges of this process; the node's first process adds those of all together for GET /metrics.
import { Counter, collectDefaultMetrics, Gauge, Histogram, register } from 'prom-client';

collectDefaultMetrics({ prefix: 'peyk_' });

export const requestSeconds = new Histogram({
  name: 'peyk_api_request_seconds',
  help: 'Time to answer an operation',
  labelNames: ['operation', 'code'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
});

export const submittedTotal = new Counter({
  name: 'peyk_submitted_total',
  help: 'Parts handed to carriers',
  labelNames: ['carrier'],
});
export const settledTotal = new Counter({ name: 'peyk_settled_total', help: 'Messages brought to their end' });
export const unmatchedTotal = new Counter({
  name: 'peyk_receipts_unmatched_total',
  help: 'Receipts nobody was waiting for',
});
export const resentTotal = new Counter({ name: 'peyk_resent_total', help: 'Messages that may be on the air twice' });
export const linksBound = new Gauge({ name: 'peyk_links_bound', help: 'Bound links', labelNames: ['carrier'] });

export { register };
