// Reads one consent record from a client or a file and checks each rule it can break by itself, with a sentence for each. The
// API, the panel and imports share these rules.

import { limits } from '../limits.ts';
import { formatNumber, parseNumber } from '../numbers/phone.ts';
import { fromTurkeyTime } from '../time/clock.ts';
import { type ConsentDraft, consentSources, consentStatuses, consentTypes, recipientTypes } from './record.ts';

export type GivenConsent = Record<'recipient' | 'recipientType' | 'type' | 'status' | 'source' | 'consentDate', string>;
export type ConsentRule = keyof typeof consentRules;

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

/** Returns the record of a row, or null with every broken rule named. */
export function readConsentRow(
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
  const consentDate = readDate(given.consentDate, now, complain);
  if (!type || !recipientType || !status || !source || !recipient || !consentDate) return null;
  return { recipient, recipientType, type, status, source, consentDate };
}

function choose<T extends string>(allowed: readonly T[], given: string, complain: () => void): T | null {
  const found = allowed.find(one => one === given.trim());
  if (!found) complain();
  return found ?? null;
}

/** Returns `+90…` or a lower-case e-mail address; null for anything else. */
export function readRecipient(given: string, type: string | null, abroad: boolean): string | null {
  if (type !== 'EPOSTA') {
    const number = parseNumber(given, abroad);
    return number > 0 ? formatNumber(number) : null;
  }
  const address = given.trim().toLowerCase();
  return address.length >= 6 && address.length <= 265 && emailForm.test(address) ? address : null;
}

function readDate(given: string, now: Date, complain: (rule: ConsentRule) => void): Date | null {
  const [year, month, day, hour, minute, second] = dateForm.exec(given.trim())?.slice(1).map(Number) ?? [];
  const date = fromTurkeyTime(year!, month!, day!, hour!, minute!, second!);
  const ageMs = date ? now.getTime() - date.getTime() : 0;
  if (!date) complain('date-form');
  else if (ageMs < 0) complain('date-future');
  else if (ageMs > limits.consentAgeMs) complain('date-old');
  else return date;
  return null;
}
