// get-report and get-reports.
import { toTurkeyTime } from '../clock.ts';
import { limits } from '../limits.ts';
import { orderStates } from '../orders/states.ts';
import { orderList } from '../reports/order-list.ts';
import { type OrderSummary, orderReport } from '../reports/order-report.ts';
import { Refusal } from '../status.ts';
import type { ApiCall } from './context.ts';
import { asMembers, type Members, own } from './envelope.ts';
import { endOf, findPage, readId, readMoment, readPage, readRowCount } from './read.ts';

const dayMs = 86_400_000;

export async function getReport(call: ApiCall): Promise<Members> {
  const asked = asMembers(own(call.request, 'order'))!;
  const id = readId(own(asked, 'id'));
  const page = own(asked, 'page');
  const rowCount = readRowCount(own(asked, 'rowCount') ?? own(asked, 'row_count'));
  // A page that is none is told last: 455 and 456 come first.
  const report = id === null ? null : await orderReport(call.db, call.account.id, id, findPage(page) ?? 1, rowCount);
  if (!report) throw new Refusal(455);
  if (report.state === 'scheduled') throw new Refusal(456);
  readPage(page);
  const price = report.consumed + report.reserved;
  return { order: { ...summary(report), id: String(report.id), price, message: report.messages } };
}

export async function getReports(call: ApiCall): Promise<Members> {
  const filter = asMembers(own(call.request, 'filter')) ?? {};
  const start = readMoment(own(filter, 'start'));
  const end = readMoment(own(filter, 'end'));
  if (!start || !end) throw new Refusal(458);
  const spanMs = end.time.getTime() - start.time.getTime();
  if (endOf(end) <= start.time || spanMs > limits.reportRangeDays * dayMs) throw new Refusal(458);
  const page = readPage(own(filter, 'page') ?? own(call.request, 'page'));
  const found = await orderList(call.db, call.account.id, start.time, endOf(end), page);
  return { count: found.count, orders: found.orders.map(summary) };
}

function summary(order: OrderSummary): Members {
  return {
    id: order.id,
    status: orderStates[order.state],
    total: order.total,
    delivered: order.delivered,
    undelivered: order.undelivered,
    waiting: order.total - order.delivered - order.undelivered,
    submitAt: toTurkeyTime(order.submitAt),
    sendAt: toTurkeyTime(order.sendAt),
    sender: order.sender,
  };
}
