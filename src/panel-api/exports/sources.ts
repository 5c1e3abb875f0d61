// The contents of each kind of download: the same filters and rows as the lists, all pages, one page in memory at a time.

import { type ConsentHistoryRecord, consentHistory } from '../../consent/history.ts';
import type { Read } from '../../contract/lenient.ts';
import type { TSchema } from '../../contract/type.ts';
import type { ExportCall, ExportSource, Pages } from '../../exports/export-job.ts';
import type { Cell } from '../../exports/spreadsheet.ts';
import { ColumnReader, columnNames } from '../../orders/order-columns.ts';
import { deliveryRate, shownShare } from '../../text/rate.ts';
import { now } from '../../time/clock.ts';
import { forCustomer, readAuditFilter } from '../audit/audit.ts';
import { type AuditRow, auditRows } from '../audit/audit-list.ts';
import { actionName, actorName, detailLine } from '../audit/audit-words.ts';
import { auditFilter } from '../audit/contract.ts';
import { readConsentFilter, showConsent } from '../consent/consent.ts';
import { consentListFilter } from '../consent/contract.ts';
import type { ExportKind } from '../contract/facts.ts';
import { inputReader } from '../contract/input.ts';
import type { Language } from '../contract/shapes.ts';
import { readRefusalFilter, showRefusal } from '../developers/api-log.ts';
import { refusalFilter } from '../developers/contract.ts';
import { type RefusalRow, refusalRows } from '../developers/refusal-list.ts';
import { readBlacklistFilter, showBlacklisted } from '../lists/blacklist.ts';
import { type BlacklistRow, blacklistRows } from '../lists/blacklist-list.ts';
import { blacklistFilter, inboxFilter } from '../lists/contract.ts';
import { readInboxFilter } from '../lists/inbox.ts';
import { type InboxRow, inboxRows } from '../lists/inbox-list.ts';
import { readLedgerFilter, showEntry } from '../money/balance.ts';
import { ledgerFilter } from '../money/contract.ts';
import { type LedgerRow, ledgerRows } from '../money/ledger-list.ts';
import { orderFilter, recipientFilter } from '../orders/contract.ts';
import { type OrderRow, orderRows, showOrder } from '../orders/order-lines.ts';
import { rangeOf } from '../orders/order-view.ts';
import { readOrderFilter, readRecipientFilter, requireOrder } from '../orders/orders.ts';
import {
  type MessageRow,
  recipientRows,
  showRecipient,
  submittedAmong,
  textsAmong,
} from '../orders/recipient-lines.ts';
import { smppIdsOf, smppOrigin } from '../orders/smpp-ids.ts';
import type { ReportFigures } from '../reports/contract.ts';
import { reportAsked } from '../reports/contract.ts';
import { makeReport, readReportAsked } from '../reports/reports.ts';
import { PanelRefusal } from '../words/errors.ts';
import { shownDay, shownTime, smppTitle, titlesOf, wordOf } from './words.ts';

const pageRows = 1_000;
// Each counts for some seconds at most and caches its counts.
const reportTriesMax = 10;
// Orders cost more: each row looks at its messages.
const orderPageRows = 200;

type Time = string | null;

const readRecipients = inputReader(recipientFilter);
const readReport = inputReader(reportAsked);

/** Recipients: our columns, the text of each one, the SMPP answer, and then the customer's own columns. */
export async function exportTitles(call: ExportCall, kind: ExportKind, language: Language): Promise<string[]> {
  const titles = titlesOf(kind, language);
  if (kind !== 'recipients') return titles;
  const { id } = await requireOrder(call, readRecipients(call.input).id);
  const origin = await smppOrigin(call.db, call.account.id, id);
  return [...titles, ...(origin ? [smppTitle[language]] : []), ...(await columnNames(call.db, call.account.id, id))];
}

export function exportPages(call: ExportCall, kind: ExportKind, language: Language): Pages {
  return sources[kind](call, language);
}

/** The panel's lists for the background job; only requested kinds are stored. */
export const listSource: ExportSource = (call, kind, language) => ({
  titles: () => exportTitles(call, kind as ExportKind, language),
  pages: exportPages(call, kind as ExportKind, language),
});

/** A list as a download uses it: how its filter is read, how the page after a row is requested, the contents of a row. */
type Listed<Schema extends TSchema, Row, Filter, Cursor> = {
  size?: number;
  /** Checks the filter by the list's own operation. */
  asked: Schema;
  filter: (asked: Read<Schema>) => Filter;
  cursor: (last: Row) => Cursor;
  rows: (call: ExportCall, filter: Filter, after: Cursor | undefined, size: number) => Promise<Row[]>;
  cells: (row: Row, language: Language) => Cell[];
};
type Source = (call: ExportCall, language: Language) => Pages;

function listed<Schema extends TSchema, Row, Filter, Cursor>(list: Listed<Schema, Row, Filter, Cursor>): Source {
  const { size = pageRows } = list;
  const readAsked = inputReader(list.asked);
  return (call, language) => {
    const filter = list.filter(readAsked(call.input));
    const read = (last: Row | undefined) => list.rows(call, filter, last && list.cursor(last), size);
    return walk(size, read, page => page.map(row => list.cells(row, language)));
  };
}

/** Walks pages until one is not full. */
async function* walk<Row>(
  size: number,
  read: (last: Row | undefined) => Promise<Row[]>,
  show: (rows: Row[]) => Cell[][] | Promise<Cell[][]>,
): Pages {
  let last: Row | undefined;
  for (;;) {
    const page = await read(last);
    if (page.length > 0) yield await show(page);
    if (page.length < size) return;
    last = page.at(-1);
  }
}

const beforeId = (last: { id: number }) => ({ before: last.id });

const sources: Record<ExportKind, Source> = {
  orders: listed({
    size: orderPageRows,
    asked: orderFilter,
    filter: readOrderFilter,
    cursor: (last: OrderRow) => ({ before: { at: last.submitAt, id: last.id } }),
    rows: (call, filter, after, size) => orderRows(call.db, call.account.id, { ...filter, ...after }, size),
    cells: (row, language) => {
      const one = showOrder(row);
      return [
        String(one.id),
        wordOf(one.state, language),
        time(one.submitAt, language),
        time(one.sendAt, language),
        one.sender,
        one.textStart,
        wordOf(one.commercial ? 'yes' : 'no', language),
        one.source.who ?? wordOf(one.source.kind, language),
        one.total,
        one.delivered,
        one.undelivered,
        one.filtered,
        one.queued + one.withCarrier,
        rate(one.delivered, one.undelivered),
        one.credits,
      ];
    },
  }),

  recipients: recipientPages,

  inbox: listed({
    asked: inboxFilter,
    filter: readInboxFilter,
    cursor: (last: InboxRow) => beforeId(last),
    rows: (call, filter, after, size) => inboxRows(call.db, call.account.id, { ...filter, ...after }, size),
    cells: (one, language) => [
      shownTime(one.receivedAt, language),
      one.number,
      one.to,
      one.text,
      one.effect && wordOf(one.effect, language),
    ],
  }),

  blacklist: listed({
    asked: blacklistFilter,
    filter: readBlacklistFilter,
    cursor: (last: BlacklistRow) => ({ before: { micros: last.micros, number: last.number } }),
    rows: (call, filter, after, size) => blacklistRows(call.db, call.account.id, { ...filter, ...after }, size),
    cells: (row, language) => {
      const one = showBlacklisted(row);
      return [one.number, wordOf(one.source, language), time(one.addedAt, language), one.note];
    },
  }),

  consents: listed({
    asked: consentListFilter,
    filter: readConsentFilter,
    cursor: (last: ConsentHistoryRecord) => beforeId(last),
    rows: async (call, filter, after, size) =>
      (await consentHistory(call.db, call.account.id, { ...filter, ...after, rowCount: size })).records,
    cells: (row, language) => {
      const one = showConsent(row);
      return [
        String(one.brand),
        one.recipient,
        // The registry's own words, so that the file can be imported again.
        one.recipientType,
        one.type,
        one.status,
        one.source,
        time(one.consentDate, language),
        wordOf(one.origin, language),
        time(one.createdAt, language),
        wordOf(one.syncState, language),
        one.code,
        one.reason?.[language] ?? null,
      ];
    },
  }),

  ledger: listed({
    asked: ledgerFilter,
    filter: readLedgerFilter,
    cursor: (last: LedgerRow) => beforeId(last),
    rows: (call, filter, after, size) => ledgerRows(call.db, call.account.id, { ...filter, ...after }, size),
    cells: (row, language) => {
      const one = showEntry(row);
      const order = one.orderId === null ? null : String(one.orderId);
      const kind = wordOf(one.kind, language);
      return [
        time(one.at, language),
        kind,
        order,
        one.sms,
        one.reserved,
        one.balanceAfter,
        one.reason,
        one.actor && actorName(one.actor, language),
      ];
    },
  }),

  report: reportPages,

  refusals: listed({
    asked: refusalFilter,
    filter: readRefusalFilter,
    cursor: (last: RefusalRow) => beforeId(last),
    rows: (call, filter, after, size) => refusalRows(call.db, call.account.id, { ...filter, ...after }, size),
    cells: (row, language) => {
      const one = showRefusal(row);
      return [
        time(one.at, language),
        one.operation,
        one.code,
        one.sentence[language],
        one.fix[language],
        one.address,
        one.agent,
      ];
    },
  }),

  audit: listed({
    asked: auditFilter,
    filter: readAuditFilter,
    cursor: (last: AuditRow) => beforeId(last),
    rows: (call, filter, after, size) => auditRows(call.db, { ...filter, ...after, accountId: call.account.id }, size),
    cells: (row, language) => {
      const one = forCustomer(row);
      return [
        time(one.at, language),
        actorName(one.actor, language),
        actionName(one.action, language),
        detailLine(one.detail, language),
        one.address,
      ];
    },
  }),
};

/** As the page shows it, with its total; the file waits until everything is counted. */
async function* reportPages(call: ExportCall, language: Language): Pages {
  const asked = readReportAsked(readReport(call.input), now());
  let report = await makeReport(call, asked, now());
  for (let tries = 1; !report.isComplete && tries < reportTriesMax; tries++)
    report = await makeReport(call, asked, now());
  if (!report.isComplete) throw new PanelRefusal('still-counting');
  const isWord = asked.by === 'user' || asked.by === 'source' || asked.by === 'operator';
  const nameOf = (key: string) => (isWord ? wordOf(key, language) : shownDay(key, language));
  const cells = (name: string, one: ReportFigures): Cell[] => [
    name,
    one.orders,
    one.total,
    one.delivered,
    one.undelivered,
    one.filtered,
    one.waiting,
    rate(one.delivered, one.undelivered),
    one.credits,
  ];
  yield [
    ...report.rows.map(one => cells(one.who ?? nameOf(one.key), one)),
    cells(wordOf('sum', language), report.sums),
  ];
}

/** One order's messages in ascending order; each page also finds which of its messages a carrier has. */
async function* recipientPages(call: ExportCall, language: Language): Pages {
  const asked = readRecipients(call.input);
  const order = await requireOrder(call, asked.id);
  const range = rangeOf(call.account.id, order);
  const filter = readRecipientFilter(asked);
  const own = new ColumnReader(call.db, call.account.id, order.id);
  const columnCount = (await columnNames(call.db, call.account.id, order.id)).length;
  const origin = await smppOrigin(call.db, call.account.id, order.id);
  const answered = (nth: number) => (origin ? [smppIdsOf(origin, order.id, nth).join(', ')] : []);
  yield* walk<MessageRow>(
    pageRows,
    last => recipientRows(call.db, range, last ? { ...filter, after: last.id } : filter, pageRows),
    async page => {
      const submitted = await submittedAmong(call.db, page);
      const texts = await textsAmong(call.db, range.accountId, order.id, page);
      const cells: Cell[][] = [];
      for (const row of page) {
        const beside = columnCount > 0 ? await own.cellsAt(row.id - range.first) : [];
        const filled = Array.from({ length: columnCount }, (_, at) => beside[at] ?? '');
        cells.push([
          ...recipientCells(showRecipient(row, submitted.has(row.id)), language),
          texts.get(row.textNo) ?? null,
          ...answered(row.id - range.first),
          ...filled,
        ]);
      }
      return cells;
    },
  );
}

function recipientCells(one: ReturnType<typeof showRecipient>, language: Language): Cell[] {
  return [
    one.number,
    one.operator && wordOf(one.operator, language),
    wordOf(one.state, language),
    one.reason?.[language] ?? null,
    one.reason?.advice[language] ?? null,
    one.credits,
    time(one.finalAt, language),
  ];
}

function time(instant: Time, language: Language): string | null {
  return instant && shownTime(new Date(instant), language);
}

/** The definition used everywhere: delivered ÷ (delivered + undelivered), in per cent with one decimal. */
function rate(delivered: number, undelivered: number): number | null {
  const share = deliveryRate(delivered, undelivered);
  return share === null ? null : Math.round(shownShare(share) * 1_000) / 10;
}
