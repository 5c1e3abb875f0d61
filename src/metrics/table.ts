// All metrics of the program in one table, by groups. The counters of each process (src/metrics/metrics.ts), the dashboard, the
// alert rules (scripts/make-watching.mjs) and the required sections of docs/runbook.md are derived from it. A new metric needs
// a row in the file of its group, a counter in src/metrics/metrics.ts or a value in src/metrics/stored, and then `npm run
// watching`.

import type { Alert, Figure } from './metric.ts';
import { backupFigures } from './table/backup.ts';
import { carrierFigures } from './table/carriers.ts';
import { databaseFigures } from './table/database.ts';
import { peerFigures } from './table/peers.ts';
import { processFigures } from './table/process.ts';
import { queueFigures } from './table/queue.ts';
import { requestFigures } from './table/requests.ts';
import { smppLimits } from './table/smpp-customers.ts';

/** Rows of the dashboard, in this order. */
export const figureGroups = {
  Requests: requestFigures,
  'Customers over SMPP': smppLimits,
  Queue: queueFigures,
  Carriers: carrierFigures,
  'Webhooks and registry': peerFigures,
  Processes: processFigures,
  Database: databaseFigures,
  Backups: backupFigures,
} as const;

export const figures = {
  ...requestFigures,
  ...smppLimits,
  ...queueFigures,
  ...carrierFigures,
  ...peerFigures,
  ...processFigures,
  ...databaseFigures,
  ...backupFigures,
} as const;

export type FigureName = keyof typeof figures;
export type LabelOf<Name extends FigureName> = (typeof figures)[Name]['labels'][number];

export const figureList = Object.entries(figures) as [FigureName, Figure][];
export const alerts: Alert[] = figureList.flatMap(([, figure]) => figure.alerts ?? []);
