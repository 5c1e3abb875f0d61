// Looks at consent records before they are stored, row by row, and names every rule that one breaks: an import is mended
// in one go instead of failing on its first bad line. What blocks here is what registering would refuse; a first record
// that says RET is only a warning, since the registry and not we will refuse it.
import { fromTurkeyTime } from '../clock.ts';
import { type Queryable, rows, sql } from '../db/db.ts';
import { limits } from '../limits.ts';
import { formatNumber, parseNumber } from '../phone.ts';
import { type ConsentDraft, consentSources, consentStatuses, consentTypes, recipientTypes } from './record.ts';

export type GivenConsent = Record<'recipient' | 'recipientType' | 'type' | 'status' | 'source' | 'consentDate', string>;
export type ConsentRule = keyof typeof consentRules;
export type RowIssue = { row: number; rule: ConsentRule };

export const consentRules = {
  recipient: {
    isBlocking: true,
    tr: 'Alıcı geçerli bir numara ya da e-posta değil.',
    en: 'The recipient is not valid.',
  },
  recipientType: { isBlocking: true, tr: 'Liste BIREYSEL ya da TACIR olmalı.', en: 'The list is BIREYSEL or TACIR.' },
  type: { isBlocking: true, tr: 'Tür MESAJ, EPOSTA ya da ARAMA olmalı.', en: 'The type is MESAJ, EPOSTA or ARAMA.' },
  status: { isBlocking: true, tr: 'Durum ONAY ya da RET olmalı.', en: 'The status is ONAY or RET.' },
  source: { isBlocking: true, tr: 'Kaynak tanınmıyor.', en: 'The source is not known.' },
  'date-form': {
    isBlocking: true,
    tr: 'Tarih YYYY-AA-GG SS:DD:SS biçiminde olmalı.',
    en: 'The date has the form YYYY-MM-DD HH:MM:SS.',
  },
  'date-future': { isBlocking: true, tr: 'Tarih ileride olamaz.', en: 'The date is in the future.' },
  'date-old': { isBlocking: true, tr: 'Tarih 3 günden (72 saat) eski.', en: 'The date is older than 3 days.' },
  'ruling-first': {
    isBlocking: true,
    tr: 'HS_KARAR ilk izin kaydı olamaz.',
    en: 'HS_KARAR cannot be the first record.',
  },
  duplicate: {
    isBlocking: false,
    tr: 'Aynı alıcı, tür ve liste daha önceki bir satırda da var.',
    en: 'The same recipient, type and list stand in an earlier row too.',
  },
  'first-refusal': {
    isBlocking: false,
    tr: 'Alıcının ilk kaydı RET; İYS bunu kabul etmez (H175).',
    en: 'A first record that says RET will be refused by the registry (H175).',
  },
} as const satisfies Record<string, { isBlocking: boolean; tr: string; en: string }>;

const dateForm = /^(\d{4})-(\d{2})-(\d{2}) (\d{2}):(\d{2}):(\d{2})$/;
const emailForm = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)+$/;

const knownSql = sql<{ ord: number }>('consent rows known')`
  select u.ord from unnest($3::text[], $4::text[], $5::text[]) with ordinality u(recipient, recipient_type, type, ord)
  where exists (select 1 from consent_records r where r.account_id = $1 and r.brand = $2 and r.type = u.type
    and r.recipient_type = u.recipient_type and r.recipient = u.recipient)`;

/** `drafts[i]` is null where row i breaks a rule that blocks. */
export async function checkConsentRows(
  db: Queryable,
  accountId: number,
  brand: number,
  given: GivenConsent[],
  abroad: boolean,
  now: Date,
): Promise<{ drafts: (ConsentDraft | null)[]; issues: RowIssue[] }> {
  const issues: RowIssue[] = [];
  const drafts = given.map((one, row) => checkRow(one, abroad, now, rule => issues.push({ row, rule })));
  const known = await knownSubjects(db, accountId, brand, drafts);
  const seen = new Set<string>();
  drafts.forEach((draft, row) => {
    if (!draft) return;
    const subject = subjectOf(draft);
    const isFirst = !known.has(subject) && !seen.has(subject);
    if (seen.has(subject)) issues.push({ row, rule: 'duplicate' });
    seen.add(subject);
    if (!isFirst) return;
    if (draft.status === 'RET') issues.push({ row, rule: 'first-refusal' });
    if (draft.source !== 'HS_KARAR') return;
    issues.push({ row, rule: 'ruling-first' });
    drafts[row] = null;
  });
  return { drafts, issues: issues.sort((a, b) => a.row - b.row) };
}

function checkRow(
  given: GivenConsent,
  abroad: boolean,
  now: Date,
  complain: (rule: ConsentRule) => void,
): ConsentDraft | null {
  const type = choose(consentTypes, given.type, () => complain('type'));
  const recipientType = choose(recipientTypes, given.recipientType, () => complain('recipientType'));
  const status = choose(consentStatuses, given.status, () => complain('status'));
  const source = choose(consentSources, given.source, () => complain('source'));
  const recipient = readRecipient(given.recipient, type, abroad);
  if (recipient === null) complain('recipient');
  const consentDate = readDate(given.consentDate);
  const ageMs = consentDate ? now.getTime() - consentDate.getTime() : 0;
  if (!consentDate) complain('date-form');
  else if (ageMs < 0) complain('date-future');
  else if (ageMs > limits.consentAgeMs) complain('date-old');
  if (!type || !recipientType || !status || !source || !recipient || !consentDate) return null;
  if (ageMs < 0 || ageMs > limits.consentAgeMs) return null;
  return { recipient, recipientType, type, status, source, consentDate };
}

function choose<T extends string>(allowed: readonly T[], given: string, complain: () => void): T | null {
  const found = allowed.find(one => one === given.trim());
  if (!found) complain();
  return found ?? null;
}

/** `+90…` or a lower-case e-mail address; null when it is none of the right kind. */
export function readRecipient(given: string, type: string | null, abroad: boolean): string | null {
  if (type !== 'EPOSTA') {
    const number = parseNumber(given, abroad);
    return number > 0 ? formatNumber(number) : null;
  }
  const address = given.trim().toLowerCase();
  return address.length >= 6 && address.length <= 265 && emailForm.test(address) ? address : null;
}

function readDate(given: string): Date | null {
  const match = dateForm.exec(given.trim());
  if (!match) return null;
  const [year, month, day, hour, minute, second] = match.slice(1).map(Number);
  return fromTurkeyTime(year!, month!, day!, hour!, minute!, second!);
}

async function knownSubjects(
  db: Queryable,
  accountId: number,
  brand: number,
  drafts: (ConsentDraft | null)[],
): Promise<Set<string>> {
  const good = drafts.filter(one => one !== null);
  if (good.length === 0) return new Set();
  const found = await rows(db, knownSql, [
    accountId,
    brand,
    good.map(one => one.recipient),
    good.map(one => one.recipientType),
    good.map(one => one.type),
  ]);
  return new Set(found.map(one => subjectOf(good[one.ord - 1]!)));
}

function subjectOf(one: ConsentDraft): string {
  return `${one.type} ${one.recipientType} ${one.recipient}`;
}
