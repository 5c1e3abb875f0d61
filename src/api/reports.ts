// get-report and get-reports.

import type { Read } from '../contract/lenient.ts';
import { limits } from '../limits.ts';
import { orderStates } from '../orders/states.ts';
import { orderList } from '../reports/order-list.ts';
import { type OrderSummary, orderReport } from '../reports/order-report.ts';
import { Refusal } from '../status.ts';
import { toTurkeyTime } from '../time/clock.ts';
import type { ApiCall } from './context.ts';
import { orderSummary, type reportRequest, type reportsRequest } from './orders-contract.ts';
import { endOf, requirePage } from './read.ts';

const dayMs = 86_400_000;

export async function getReport(call: ApiCall, { order: asked }: Read<typeof reportRequest>) {
  const { id, page, rowCount } = asked;
  // A bad page number is refused last: 455 and 456 come first.
  const report = id === null ? null : await orderReport(call.db, call.account.id, id, page ?? 1, rowCount);
  if (!report) throw new Refusal(455);
  if (report.state === 'scheduled') throw new Refusal(456);
  requirePage(page);
  const price = report.consumed + report.reserved;
  return { order: { ...summary(report), id: String(report.id), price, message: report.messages } };
}

export async function getReports(call: ApiCall, { filter, page: beside }: Read<typeof reportsRequest>) {
  const { start, end } = filter;
  if (!start || !end) throw new Refusal(458);
  const spanMs = end.time.getTime() - start.time.getTime();
  if (endOf(end) <= start.time || spanMs > limits.reportRangeDays * dayMs) throw new Refusal(458);
  const page = requirePage(filter.page === undefined ? (beside === undefined ? 1 : beside) : filter.page);
  const found = await orderList(call.db, call.account.id, start.time, endOf(end), page);
  return { count: found.count, orders: found.orders.map(summary) };
}

const summaryNames = ['id', ...Object.keys(orderSummary)] as SummaryName[];
type SummaryName = 'id' | keyof typeof orderSummary;

/** The members of the contract, in its order, without those that this order does not have. */
function summary(order: OrderSummary) {
  const all = {
    ...order,
    status: orderStates[order.state],
    waiting: order.total - order.delivered - order.undelivered,
    submitAt: toTurkeyTime(order.submitAt),
    sendAt: toTurkeyTime(order.sendAt),
  };
  const given = summaryNames.filter(name => all[name] !== null);
  return Object.fromEntries(given.map(name => [name, all[name]])) as {
    [Name in SummaryName]: NonNullable<(typeof all)[Name]>;
  };
}
