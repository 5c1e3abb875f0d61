// All metrics of the program in one table, by groups. The counters of each process (src/metrics/metrics.ts), the dashboard, the
// alert rules (scripts/make-watching.mjs) and the required sections of docs/runbook.md are derived from it. A new metric needs
// a row in the file of its group, a counter in src/metrics/metrics.ts or a value in src/metrics/stored, and then `npm run
// watching`.

import type { Alert, Metric } from './metric.ts';
import { backupMetrics } from './table/backup.ts';
import { carrierMetrics } from './table/carriers.ts';
import { databaseMetrics } from './table/database.ts';
import { peerMetrics } from './table/peers.ts';
import { processMetrics } from './table/process.ts';
import { queueMetrics } from './table/queue.ts';
import { requestMetrics } from './table/requests.ts';
import { smppMetrics } from './table/smpp-customers.ts';

/** Rows of the dashboard, in this order. */
export const metricGroups = {
  Requests: requestMetrics,
  'Customers over SMPP': smppMetrics,
  Queue: queueMetrics,
  Carriers: carrierMetrics,
  'Webhooks and registry': peerMetrics,
  Processes: processMetrics,
  Database: databaseMetrics,
  Backups: backupMetrics,
} as const;

export const metrics = {
  ...requestMetrics,
  ...smppMetrics,
  ...queueMetrics,
  ...carrierMetrics,
  ...peerMetrics,
  ...processMetrics,
  ...databaseMetrics,
  ...backupMetrics,
} as const;

export type MetricName = keyof typeof metrics;
export type LabelOf<Name extends MetricName> = (typeof metrics)[Name]['labels'][number];

export const metricList = Object.entries(metrics) as [MetricName, Metric][];
export const alerts: Alert[] = metricList.flatMap(([, metric]) => metric.alerts ?? []);
