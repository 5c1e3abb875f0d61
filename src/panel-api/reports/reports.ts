// Reports over time: what was sent by day, month, sender, user, source and operator. They add up sums stored per hour
// (reports/traffic.ts), so that a year of ten million messages is a few thousand rows.

import { addTraffic, type Counted, noTraffic } from '../../reports/sums.ts';
import { type Cut, type TrafficRow, traffic } from '../../reports/traffic.ts';
import { turkeyMidnightMs } from '../../time/clock.ts';
import type { AccountCall, Handlers, InputRead } from '../call/context.ts';
import { bad, iso } from '../contract/input.ts';
import { type Column, rateCell } from '../exports/column.ts';
import { RecentAnswers } from '../queries/recent-answers.ts';
import { sourceKind } from '../words/source-kinds.ts';
import type { Report, ReportDimension, ReportRow, ReportSums } from './contract.ts';
import { emailsOf } from './user-emails.ts';

const dayMs = 86_400_000;
const usualDays = 30;
const rangeMaxMs = 800 * dayMs;
const keepMs = 5_000;
const answers = new RecentAnswers();

const cuts: Record<ReportDimension, Cut> = {
  day: { grain: 'day', by: null },
  month: { grain: 'month', by: null },
  sender: { grain: 'all', by: 'sender' },
  user: { grain: 'all', by: 'source' },
  source: { grain: 'all', by: 'source' },
  operator: { grain: 'all', by: 'operator' },
};

export const reportHandlers = {
  'reports.read'(call) {
    const asked = readReportAsked(call.input, call.now);
    const name = `${call.account.id} ${asked.by} ${asked.from.getTime()} ${asked.to.getTime()}`;
    return answers.get(call.db, name, keepMs, () => makeReport(call, asked, call.now));
  },
} satisfies Partial<Handlers>;

type ReportRange = { by: ReportDimension; from: Date; to: Date };

export function readReportAsked(input: InputRead<'reports.read'>, now: Date): ReportRange {
  const by = input.by ?? 'day';
  const to = input.to ?? new Date(turkeyMidnightMs(now) + dayMs);
  const from = input.from ?? new Date(Math.min(turkeyMidnightMs(now), to.getTime()) - (usualDays - 1) * dayMs);
  if (from >= to || to.getTime() - from.getTime() > rangeMaxMs) throw bad('from');
  return { by, from, to };
}

export async function makeReport(
  { db, account }: Pick<AccountCall, 'db' | 'account'>,
  asked: ReportRange,
  now: Date,
): Promise<Report> {
  const whole: Cut = { grain: 'all', by: null };
  const found = await traffic(db, account.id, asked, now, [cuts[asked.by], whole]);
  const [parts, sums] = found.cuts as [TrafficRow[], TrafficRow[]];
  const rows = gather(parts, asked.by);
  const emails =
    asked.by === 'user'
      ? await emailsOf(
          db,
          rows.map(([key]) => userIdOf(key)).filter(id => id !== null),
        )
      : null;
  return {
    by: asked.by,
    from: iso(asked.from),
    to: iso(asked.to),
    rows: rows.map(([key, sum]): ReportRow => {
      const sumsOfRow = sumsOf(sum);
      const orders = asked.by === 'operator' ? null : sumsOfRow.orders;
      return { key, who: emails?.get(userIdOf(key) ?? 0) ?? null, ...sumsOfRow, orders };
    }),
    sums: sumsOf(sums.reduce<Counted>(addTraffic, noTraffic)),
    isComplete: found.isComplete,
  };
}

/** Days and months newest first, all others by their size. */
function gather(parts: TrafficRow[], by: ReportDimension): [key: string, sum: Counted][] {
  const sums = new Map<string, Counted>();
  for (const one of parts) {
    const key = by === 'day' || by === 'month' ? one.at : by === 'source' ? sourceKind(one.key) : one.key;
    sums.set(key, addTraffic(sums.get(key) ?? noTraffic, one));
  }
  const isTime = by === 'day' || by === 'month';
  return [...sums].sort(([a, left], [b, right]) => (isTime ? (a < b ? 1 : -1) : right.total - left.total));
}

function userIdOf(source: string): number | null {
  return source.startsWith('panel:') ? Number(source.slice(6)) : null;
}

function sumsOf({ orders, total, delivered, undelivered, filtered, credits }: Counted): ReportSums {
  return {
    orders,
    total,
    delivered,
    undelivered,
    filtered,
    waiting: total - delivered - undelivered - filtered,
    credits,
  };
}

/** Columns of a report as a file. */
export const reportFileColumns: Column<ReportSums & { name: string }>[] = [
  ['Kırılım', 'By', one => one.name],
  ['Sipariş', 'Orders', one => one.orders],
  ['Alıcı', 'Recipients', one => one.total],
  ['İletildi', 'Delivered', one => one.delivered],
  ['İletilemedi', 'Not delivered', one => one.undelivered],
  ['Elendi', 'Filtered', one => one.filtered],
  ['Bekleyen', 'Waiting', one => one.waiting],
  ['Teslim oranı (%)', 'Delivery rate (%)', one => rateCell(one.delivered, one.undelivered)],
  ['Kredi', 'Credits', one => one.credits],
];
