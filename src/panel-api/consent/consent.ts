// Consent: query one recipient, list, check an import, store it, and the state of the registry.

import { monthOf } from '../../consent/brands.ts';
import { checkConsentRows } from '../../consent/check-rows.ts';
import { currentConsent } from '../../consent/current.ts';
import { type ConsentFilter, type ConsentHistoryRecord, consentHistory } from '../../consent/history.ts';
import { type ConsentRule, consentRules, type GivenConsent, readRecipient } from '../../consent/read-row.ts';
import { registerConsents } from '../../consent/register.ts';
import { reasonOf } from '../../consent/registry/codes.ts';
import { consentSyncState } from '../../consent/sync/state.ts';
import { limits } from '../../limits.ts';
import { Refusal } from '../../status.ts';
import { auditEntry } from '../audit/audit-entry.ts';
import type { AccountCall, Given, Handlers, InputRead } from '../call/context.ts';
import { bad, iso } from '../contract/input.ts';
import type { Both } from '../contract/shapes.ts';
import { type Column, timeCell } from '../exports/column.ts';
import { wordOf } from '../exports/words.ts';
import { cursorParts } from '../queries/conditions.ts';
import { PanelRefusal } from '../words/errors.ts';
import { brandsWithUse, consentCounts, consentRefusals } from './consent-sums.ts';
import type { ConsentLine } from './contract.ts';
import { showTrouble } from './registry-trouble.ts';

// Every blocking error: the panel stores the other rows. A row can break several rules.
const issuesMax = 4 * limits.consentsPerRequest;
const pageRows = 50;

export const consentHandlers = {
  async 'consent.overview'(call) {
    const sync = await consentSyncState(call.db, call.account.id);
    const counts = { queued: 0, sent: 0, accepted: 0, refused: 0 };
    for (const one of await consentCounts(call.db, call.account.id)) counts[one.state] = one.count;
    const brands = await brandsWithUse(call.db, call.account.id, monthOf(call.now));
    return {
      brands: brands.map(({ used, ...brand }) => {
        const state = sync.brands.find(one => one.brand === brand.code);
        return {
          ...brand,
          usedThisMonth: used,
          waiting: state?.waiting ?? 0,
          pulledAt: iso(state?.pulledAt ?? null),
          isReconciling: state?.isReconciling ?? false,
          pause: state?.pause
            ? { code: state.pause.code, sentence: sentenceOf(state.pause.code), since: iso(state.pause.since) }
            : null,
        };
      }),
      answeredAt: iso(sync.answeredAt),
      trouble: showTrouble(sync.trouble),
      counts,
    };
  },

  async 'consent.query'(call) {
    const { brand, type, recipientType, recipient } = readQuery(call);
    const current = await currentConsent(call.db, call.account.id, brand, type, recipientType, recipient);
    const { records } = await consentHistory(call.db, call.account.id, { brand, type, recipientType, recipient });
    return {
      recipient,
      current: current ? { ...current, consentDate: iso(current.consentDate) } : null,
      history: records.map(showConsent),
    };
  },

  async 'consent.list'(call) {
    const filter = { ...readConsentFilter(call.input), rowCount: pageRows };
    const { records, next } = await consentHistory(call.db, call.account.id, filter);
    return { rows: records.map(showConsent), next: next === null ? null : String(next) };
  },

  async 'consent.refusals'(call) {
    const groups = await consentRefusals(call.db, call.account.id, call.input.brand ?? null);
    return { groups: groups.map(one => ({ ...one, sentence: sentenceOf(one.code), lastAt: iso(one.lastAt) })) };
  },

  async 'consent.check'(call) {
    const { brand, given } = readImport(call);
    const { drafts, issues } = await checkConsentRows(
      call.db,
      call.account.id,
      brand,
      given,
      call.account.abroad,
      call.now,
    );
    const counts: Partial<Record<ConsentRule, number>> = {};
    for (const { rule } of issues) counts[rule] = (counts[rule] ?? 0) + 1;
    const use = (await brandsWithUse(call.db, call.account.id, monthOf(call.now))).find(one => one.code === brand);
    return {
      given: given.length,
      valid: drafts.filter(Boolean).length,
      issues: issues.slice(0, issuesMax).map(one => ({ ...one, ...consentRules[one.rule] })),
      counts,
      quotaLeft: use?.quota == null ? null : Math.max(0, use.quota - use.used),
    };
  },

  async 'consent.add'(call) {
    const { brand, given } = readImport(call);
    const { drafts } = await checkConsentRows(call.db, call.account.id, brand, given, call.account.abroad, call.now);
    const good = drafts.filter(one => one !== null);
    if (good.length < given.length) throw new PanelRefusal('invalid-rows', { field: 'rows' });
    await registerConsents(call.db, call.account.id, brand, good, 'panel', call.now);
    await auditEntry(call, 'consent.add', { brand, records: good.length });
    return { stored: good.length };
  },
} satisfies Partial<Handlers>;

function requireBrand(call: AccountCall & { input: { brand: number } }): number {
  if (call.account.brands.length === 0) throw new Refusal(403);
  const brand = call.input.brand;
  if (!call.account.brands.includes(brand)) throw new PanelRefusal('not-found', { field: 'brand' });
  return brand;
}

function readQuery(call: AccountCall & Given<'consent.query'>) {
  const brand = requireBrand(call);
  const { type, recipientType } = call.input;
  const recipient = readRecipient(call.input.recipient, type, call.account.abroad);
  if (recipient === null) throw bad('recipient');
  return { brand, type, recipientType, recipient };
}

function readImport(call: AccountCall & Given<'consent.add'>): { brand: number; given: GivenConsent[] } {
  const brand = requireBrand(call);
  const given = call.input.rows;
  if (given.length > limits.consentsPerRequest) throw new Refusal(475);
  return { brand, given };
}

export function readConsentFilter(input: InputRead<'consent.list'>): ConsentFilter {
  const { type, recipient } = input;
  const isEmail = recipient?.includes('@') ?? false;
  return {
    brand: input.brand,
    recipient: recipient && (readRecipient(recipient, isEmail ? 'EPOSTA' : 'MESAJ', true) ?? recipient),
    recipientType: input.recipientType,
    type,
    status: input.status,
    syncState: input.syncState,
    origin: input.origin,
    start: input.from,
    end: input.to,
    before: cursorParts(input.cursor, 1)?.[0],
  };
}

export function showConsent(one: ConsentHistoryRecord): ConsentLine {
  const { requestId: _, requestIndex: __, transactionId: ___, ...shown } = one;
  return {
    ...shown,
    consentDate: iso(one.consentDate),
    createdAt: iso(one.createdAt),
    syncedAt: iso(one.syncedAt),
    reason: one.code === null ? null : sentenceOf(one.code),
  };
}

export function sentenceOf(code: string): Both {
  return { tr: reasonOf(code, 'tr'), en: reasonOf(code, 'en') };
}

/** Columns of the list as a file. */
export const consentFileColumns: Column<ConsentLine>[] = [
  ['Marka kodu', 'Brand code', one => String(one.brand)],
  ['Alıcı', 'Recipient', one => one.recipient],
  // The registry's own words, so that the file can be imported again.
  ['Liste', 'List', one => one.recipientType],
  ['Tür', 'Type', one => one.type],
  ['İzin', 'Consent', one => one.status],
  ['Kaynak', 'Source', one => one.source],
  ['İzin tarihi', 'Consent date', (one, language) => timeCell(one.consentDate, language)],
  ['Geliş yolu', 'Origin', (one, language) => wordOf(one.origin, language)],
  ['Geliş zamanı', 'Arrived', (one, language) => timeCell(one.createdAt, language)],
  ['İYS durumu', 'Registry state', (one, language) => wordOf(one.syncState, language)],
  ['İYS kodu', 'Registry code', one => one.code],
  ['Sebep', 'Reason', (one, language) => one.reason?.[language] ?? null],
];
