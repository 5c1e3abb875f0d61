// Shapes of the panel's contract: reports over time. Types only.
import type { Operator } from '../orders/contract.ts';

export const reportDimensions = ['day', 'month', 'sender', 'user', 'source', 'operator'] as const;
export type ReportDimension = (typeof reportDimensions)[number];
/** `from` and `to` are moments; without them the last 30 days, by day. At most 800 days. */
export type ReportAsked = { by?: ReportDimension; from?: string; to?: string };
export type ReportFigures = {
  /** null by operator: an order has numbers of several. */
  orders: number | null;
  total: number;
  delivered: number;
  undelivered: number;
  filtered: number;
  waiting: number;
  credits: number;
};
export type ReportRow = ReportFigures & {
  /** '2026-11-15', '2026-11', the sender, 'api', 'panel' or 'other', 'turkcell' and so on, or 'panel:<id of the user>'. */
  key: string;
  /** Of a user: the e-mail address, null where it is not known any more; of all others null. */
  who: string | null;
};
export type Report = {
  by: ReportDimension;
  from: string;
  to: string;
  rows: ReportRow[];
  /** Of whole orders: the same by every dimension. */
  sums: ReportFigures;
  /** false while earlier hours are still being counted: the figures are then too low. */
  isComplete: boolean;
};
export type ReportOperator = Operator | 'none';
