// What each kind of download holds: the same filters and the same rows as the lists, all pages of them, one page in memory
// at a time.
import { toTurkeyTime } from '../clock.ts';
import { type ConsentHistoryRecord, consentHistory } from '../consent/history.ts';
import { readRefusalFilter, showRefusal } from './api-log.ts';
import { forCustomer, readAuditFilter } from './audit.ts';
import { readLedgerFilter, showEntry } from './balance.ts';
import { readBlacklistFilter, showBlacklisted } from './blacklist.ts';
import { readConsentFilter, showConsent } from './consent.ts';
import type { AccountCall } from './context.ts';
import type { ExportKind, Language } from './contract.ts';
import { wordOf } from './export-words.ts';
import { readInboxFilter } from './inbox.ts';
import { rangeOf } from './order-view.ts';
import { readOrderFilter, readRecipientFilter, requireOrder } from './orders.ts';
import { type AuditRow, auditRows } from './queries/audit-list.ts';
import { type BlacklistRow, blacklistRows } from './queries/blacklist-list.ts';
import { type InboxRow, inboxRows } from './queries/inbox-list.ts';
import { type LedgerRow, ledgerRows } from './queries/ledger-list.ts';
import { type OrderRow, orderRows, showOrder } from './queries/order-lines.ts';
import { handedOverAmong, type MessageRow, recipientRows, showRecipient } from './queries/recipient-lines.ts';
import { type RefusalRow, refusalRows } from './queries/refusal-list.ts';
import type { Cell } from './spreadsheet.ts';

const pageRows = 1_000;
// Orders are dearer: each row looks at its messages.
const orderPageRows = 200;

export type Pages = AsyncGenerator<Cell[][]>;
/** What a download needs to know of who asks: the job in the background has nothing else. */
export type ExportCall = Pick<AccountCall, 'db' | 'account' | 'input'>;
type Time = string | null;

export function exportPages(call: ExportCall, kind: ExportKind, language: Language): Pages {
  return sources[kind](call, language);
}

/** Walks from page to page until one is not full. */
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

const sources: Record<ExportKind, (call: ExportCall, language: Language) => Pages> = {
  orders(call, language) {
    const filter = readOrderFilter(call.input);
    return walk<OrderRow>(
      orderPageRows,
      last =>
        orderRows(
          call.db,
          call.account.id,
          last ? { ...filter, before: { at: last.submitAt, id: last.id } } : filter,
          orderPageRows,
        ),
      page =>
        page
          .map(showOrder)
          .map(one => [
            String(one.id),
            wordOf(one.state, language),
            time(one.submitAt),
            time(one.sendAt),
            one.sender,
            one.textStart,
            one.commercial,
            one.source.who ?? one.source.kind,
            one.total,
            one.delivered,
            one.undelivered,
            one.filtered,
            one.queued + one.withCarrier,
            rate(one.delivered, one.undelivered),
            one.credits,
          ]),
    );
  },

  async *recipients(call, language) {
    const order = await requireOrder(call, 'id');
    const range = rangeOf(call.account.id, order);
    const filter = readRecipientFilter(call.input);
    yield* walk<MessageRow>(
      pageRows,
      last => recipientRows(call.db, range, last ? { ...filter, after: last.id } : filter, pageRows),
      async page => {
        const handed = await handedOverAmong(call.db, page);
        return page
          .map(one => showRecipient(one, handed.has(one.id)))
          .map(one => [
            one.number,
            one.operator && wordOf(one.operator, language),
            one.status,
            wordOf(one.state, language),
            one.reason?.[language] ?? null,
            one.reason?.advice[language] ?? null,
            one.credits,
            time(one.finalAt),
          ]);
      },
    );
  },

  inbox(call, language) {
    const filter = readInboxFilter(call.input);
    return walk<InboxRow>(
      pageRows,
      last => inboxRows(call.db, call.account.id, last ? { ...filter, before: last.id } : filter, pageRows),
      page =>
        page.map(one => [
          toTurkeyTime(one.receivedAt),
          one.number,
          one.to,
          one.text,
          one.effect && wordOf(one.effect, language),
        ]),
    );
  },

  blacklist(call, language) {
    const filter = readBlacklistFilter(call.input);
    return walk<BlacklistRow>(
      pageRows,
      last =>
        blacklistRows(
          call.db,
          call.account.id,
          last ? { ...filter, before: { micros: last.micros, number: last.number } } : filter,
          pageRows,
        ),
      page =>
        page.map(showBlacklisted).map(one => [one.number, wordOf(one.source, language), time(one.addedAt), one.note]),
    );
  },

  consents(call, language) {
    const filter = { ...readConsentFilter(call.input), rowCount: pageRows };
    return walk<ConsentHistoryRecord>(
      pageRows,
      async last =>
        (await consentHistory(call.db, call.account.id, last ? { ...filter, before: last.id } : filter)).records,
      page =>
        page
          .map(showConsent)
          .map(one => [
            String(one.brand),
            one.recipient,
            one.recipientType,
            one.type,
            one.status,
            one.source,
            time(one.consentDate),
            wordOf(one.origin, language),
            time(one.createdAt),
            wordOf(one.syncState, language),
            one.code,
            one.reason?.[language] ?? null,
          ]),
    );
  },

  ledger(call, language) {
    const filter = readLedgerFilter(call.input);
    return walk<LedgerRow>(
      pageRows,
      last => ledgerRows(call.db, call.account.id, last ? { ...filter, before: last.id } : filter, pageRows),
      page =>
        page
          .map(showEntry)
          .map(one => [
            time(one.at),
            wordOf(one.kind, language),
            one.orderId === null ? null : String(one.orderId),
            one.sms,
            one.reserved,
            one.balanceAfter,
            one.reason,
            one.actor,
          ]),
    );
  },

  refusals(call, language) {
    const filter = readRefusalFilter(call.input);
    return walk<RefusalRow>(
      pageRows,
      last => refusalRows(call.db, call.account.id, last ? { ...filter, before: last.id } : filter, pageRows),
      page =>
        page
          .map(showRefusal)
          .map(one => [
            time(one.at),
            one.operation,
            one.code,
            one.sentence[language],
            one.fix[language],
            one.address,
            one.agent,
          ]),
    );
  },

  audit(call) {
    const filter = { ...readAuditFilter(call.input), accountId: call.account.id };
    return walk<AuditRow>(
      pageRows,
      last => auditRows(call.db, last ? { ...filter, before: last.id } : filter, pageRows),
      page =>
        page
          .map(forCustomer)
          .map(one => [time(one.at), one.actor, one.action, JSON.stringify(one.detail), one.address]),
    );
  },
};

function time(instant: Time): string | null {
  return instant && toTurkeyTime(new Date(instant));
}

/** One definition everywhere: delivered ÷ (delivered + undelivered), in per cent with one decimal. */
function rate(delivered: number, undelivered: number): number | null {
  const ended = delivered + undelivered;
  return ended === 0 ? null : Math.round((delivered / ended) * 1_000) / 10;
}
