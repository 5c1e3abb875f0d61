// Contract of the panel: reports over time.

import { type Static, Type } from '../../contract/type.ts';
import { reportDimensions } from '../contract/facts.ts';
import { endTime, maybe, time } from '../contract/fields.ts';
import type { Operations } from '../contract/shapes.ts';

const reportDimension = Type.Enum(reportDimensions);
export type ReportDimension = Static<typeof reportDimension>;
const reportSums = Type.Object({
  /** null by operator, because an order has numbers of several operators. */
  orders: Type.Nullable(Type.Number()),
  total: Type.Number(),
  delivered: Type.Number(),
  undelivered: Type.Number(),
  filtered: Type.Number(),
  waiting: Type.Number(),
  credits: Type.Number(),
});
export type ReportSums = Static<typeof reportSums>;
const reportRow = Type.Object({
  ...reportSums.properties,
  /** '2026-11-15', '2026-11', the sender, 'api', 'smpp', 'panel' or 'other', 'turkcell' and so on, or 'panel:<id of the user>'. */
  key: Type.String(),
  /** For a user: the e-mail address, null if it is no longer known; null for all others. */
  who: Type.Nullable(Type.String()),
});
export type ReportRow = Static<typeof reportRow>;
const report = Type.Object({
  by: reportDimension,
  from: Type.String(),
  to: Type.String(),
  rows: Type.Array(reportRow),
  /** Sums of whole orders: the same by every dimension. */
  sums: reportSums,
  /** false while earlier hours are still being counted: the sums are then too low. */
  isComplete: Type.Boolean(),
});
export type Report = Static<typeof report>;

/** Defaults to the last 30 days, by day. At most 800 days. */
export const reportAsked = Type.Object({ by: maybe(reportDimension), from: maybe(time()), to: maybe(endTime()) });

export const reportsOperations = {
  'reports.read': { input: reportAsked, output: report },
} satisfies Operations;
