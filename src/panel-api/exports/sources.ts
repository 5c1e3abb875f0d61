// The contents of each kind of download: the same filters and rows as the lists, all pages, one page in memory at a time.

import { type ConsentHistoryRecord, consentHistory } from '../../consent/history.ts';
import type { Read } from '../../contract/lenient.ts';
import type { TSchema } from '../../contract/type.ts';
import type { ExportCall, ExportSource, Pages } from '../../exports/export-job.ts';
import type { Cell } from '../../exports/spreadsheet.ts';
import { columnNames, columnReader } from '../../orders/order-columns.ts';
import { now } from '../../time/clock.ts';
import { auditFileColumns, forCustomer, readAuditFilter } from '../audit/audit.ts';
import { type AuditRow, auditRows } from '../audit/audit-list.ts';
import { auditFilter } from '../audit/contract.ts';
import { consentFileColumns, readConsentFilter, showConsent } from '../consent/consent.ts';
import { consentListFilter } from '../consent/contract.ts';
import type { ExportKind } from '../contract/facts.ts';
import { inputReader } from '../contract/input.ts';
import type { Both, Language } from '../contract/shapes.ts';
import { readRefusalFilter, refusalFileColumns, showRefusal } from '../developers/api-log.ts';
import { refusalFilter } from '../developers/contract.ts';
import { type RefusalRow, refusalRows } from '../developers/refusal-list.ts';
import { blacklistFileColumns, readBlacklistFilter, showBlacklisted } from '../lists/blacklist.ts';
import { type BlacklistRow, blacklistRows } from '../lists/blacklist-list.ts';
import { blacklistFilter, inboxFilter } from '../lists/contract.ts';
import { readInboxFilter } from '../lists/inbox.ts';
import { type InboxRow, inboxFileColumns, inboxRows } from '../lists/inbox-list.ts';
import { ledgerFileColumns, readLedgerFilter, showEntry } from '../money/balance.ts';
import { ledgerFilter } from '../money/contract.ts';
import { type LedgerRow, ledgerRows } from '../money/ledger-list.ts';
import { orderFilter, recipientFilter } from '../orders/contract.ts';
import { type OrderRow, orderFileColumns, orderRows, showOrder } from '../orders/order-lines.ts';
import { rangeOf } from '../orders/order-view.ts';
import { readOrderFilter, readRecipientFilter, requireOrder } from '../orders/orders.ts';
import {
  type MessageRow,
  recipientFileColumns,
  recipientRows,
  showRecipient,
  submittedAmong,
  textsAmong,
} from '../orders/recipient-lines.ts';
import { smppIdsOf, smppOrigin } from '../orders/smpp-ids.ts';
import type { ReportSums } from '../reports/contract.ts';
import { reportAsked } from '../reports/contract.ts';
import { makeReport, readReportAsked, reportFileColumns } from '../reports/reports.ts';
import { PanelRefusal } from '../words/errors.ts';
import { type Column, cellsOf, titlesOf } from './column.ts';
import { shownDay, smppTitle, wordOf } from './words.ts';

const pageRows = 1_000;
// Each counts for some seconds at most and caches its counts.
const reportTriesMax = 10;
// Orders cost more: each row looks at its messages.
const orderPageRows = 200;

const readRecipients = inputReader(recipientFilter);
const readReport = inputReader(reportAsked);

/** Recipients: our columns, the text of each one, the SMPP answer, and then the customer's own columns. */
export async function exportTitles(call: ExportCall, kind: ExportKind, language: Language): Promise<string[]> {
  const titles = sources[kind].titles.map(one => one[language]);
  if (kind !== 'recipients') return titles;
  const { id } = await requireOrder(call, readRecipients(call.input).id);
  const origin = await smppOrigin(call.db, call.account.id, id);
  return [...titles, ...(origin ? [smppTitle[language]] : []), ...(await columnNames(call.db, call.account.id, id))];
}

export function exportPages(call: ExportCall, kind: ExportKind, language: Language): Pages {
  return sources[kind].pages(call, language);
}

/** The panel's lists for the background job; only requested kinds are stored. */
export const listSource: ExportSource = (call, kind, language) => ({
  titles: () => exportTitles(call, kind as ExportKind, language),
  pages: exportPages(call, kind as ExportKind, language),
});

type Source = { titles: Both[]; pages: (call: ExportCall, language: Language) => Pages };

/** A list as a download uses it: how its filter is read, how the page after a row is requested, the contents of a row. */
type Listed<Schema extends TSchema, Row, Shown, Filter, Cursor> = {
  size?: number;
  /** Checks the filter by the list's own operation. */
  asked: Schema;
  filter: (asked: Read<Schema>) => Filter;
  cursor: (last: Row) => Cursor;
  rows: (call: ExportCall, filter: Filter, after: Cursor | undefined, size: number) => Promise<Row[]>;
  show: (row: Row) => Shown;
  columns: Column<Shown>[];
};

function listed<Schema extends TSchema, Row, Shown, Filter, Cursor>(
  list: Listed<Schema, Row, Shown, Filter, Cursor>,
): Source {
  const { size = pageRows, columns } = list;
  const readAsked = inputReader(list.asked);
  return {
    titles: titlesOf(columns),
    pages: (call, language) => {
      const filter = list.filter(readAsked(call.input));
      const read = (last: Row | undefined) => list.rows(call, filter, last && list.cursor(last), size);
      return walk(size, read, page => page.map(row => cellsOf(columns, list.show(row), language)));
    },
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
    show: showOrder,
    columns: orderFileColumns,
  }),

  recipients: { titles: titlesOf(recipientFileColumns), pages: recipientPages },

  inbox: listed({
    asked: inboxFilter,
    filter: readInboxFilter,
    cursor: (last: InboxRow) => beforeId(last),
    rows: (call, filter, after, size) => inboxRows(call.db, call.account.id, { ...filter, ...after }, size),
    show: row => row,
    columns: inboxFileColumns,
  }),

  blacklist: listed({
    asked: blacklistFilter,
    filter: readBlacklistFilter,
    cursor: (last: BlacklistRow) => ({ before: { micros: last.micros, number: last.number } }),
    rows: (call, filter, after, size) => blacklistRows(call.db, call.account.id, { ...filter, ...after }, size),
    show: showBlacklisted,
    columns: blacklistFileColumns,
  }),

  consents: listed({
    asked: consentListFilter,
    filter: readConsentFilter,
    cursor: (last: ConsentHistoryRecord) => beforeId(last),
    rows: async (call, filter, after, size) =>
      (await consentHistory(call.db, call.account.id, { ...filter, ...after, rowCount: size })).records,
    show: showConsent,
    columns: consentFileColumns,
  }),

  ledger: listed({
    asked: ledgerFilter,
    filter: readLedgerFilter,
    cursor: (last: LedgerRow) => beforeId(last),
    rows: (call, filter, after, size) => ledgerRows(call.db, call.account.id, { ...filter, ...after }, size),
    show: showEntry,
    columns: ledgerFileColumns,
  }),

  report: { titles: titlesOf(reportFileColumns), pages: reportPages },

  refusals: listed({
    asked: refusalFilter,
    filter: readRefusalFilter,
    cursor: (last: RefusalRow) => beforeId(last),
    rows: (call, filter, after, size) => refusalRows(call.db, call.account.id, { ...filter, ...after }, size),
    show: showRefusal,
    columns: refusalFileColumns,
  }),

  audit: listed({
    asked: auditFilter,
    filter: readAuditFilter,
    cursor: (last: AuditRow) => beforeId(last),
    rows: (call, filter, after, size) => auditRows(call.db, { ...filter, ...after, accountId: call.account.id }, size),
    show: forCustomer,
    columns: auditFileColumns,
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
  const cells = (name: string, one: ReportSums) => cellsOf(reportFileColumns, { ...one, name }, language);
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
  const own = columnReader(call.db, call.account.id, order.id);
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
        const beside = columnCount > 0 ? await own(row.id - range.first) : [];
        const filled = Array.from({ length: columnCount }, (_, at) => beside[at] ?? '');
        const shown = { ...showRecipient(row, submitted.has(row.id)), text: texts.get(row.textNo) ?? null };
        cells.push([...cellsOf(recipientFileColumns, shown, language), ...answered(row.id - range.first), ...filled]);
      }
      return cells;
    },
  );
}
