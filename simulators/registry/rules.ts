// Rules that make a record unacceptable, as tables. Form rules check the record alone and are answered at once, for a batch
// with the record's index. State rules compare with the stored records; for a batch they appear only in its result. The first
// broken rule of a field hides its later ones.
import type { Code, Fault } from './answers.ts';
import { businessDaysLater, readDate } from './calendar.ts';
import type { Address } from './movement.ts';

export const recipientTypes = ['BIREYSEL', 'TACIR'];
export const consentTypes = ['ARAMA', 'MESAJ', 'EPOSTA'];
export const statuses = ['ONAY', 'RET'];
const sources =
  'HS_2015 HS_KARAR HS_FIZIKSEL_ORTAM HS_ISLAK_IMZA HS_ETKINLIK HS_ATM HS_EORTAM HS_WEB HS_MOBIL HS_MESAJ HS_EPOSTA HS_CAGRI_MERKEZI HS_SOSYAL_MEDYA'.split(
    ' ',
  );
const known = new Set([
  'recipient',
  'recipientType',
  'type',
  'source',
  'status',
  'consentDate',
  'retailerCode',
  'retailerAccess',
]);
const firstDate = '2015-05-01 00:00:00';

export type Raw = Record<string, unknown>;
export type Moment = { nowMs: number; businessDaysMax: number };
type FormRule = { code: Code; field: string; broken(raw: Raw, moment: Moment): boolean };

// Optional fields must be absent: null and "" count as missing where a field is needed and as wrong elsewhere.
const missing = (value: unknown) => value === undefined || value === null || value === '';
const outside = (value: unknown, list: string[]) => !list.includes(value as string);
const text = (value: unknown) => (typeof value === 'string' ? value : '');
const merchant = (raw: Raw) => raw['recipientType'] === 'TACIR';

// E.164 with at most 15 characters. `+9005…` passes, as it does in the registry, and is then never found under +905….
const phone = /^\+(?:900?[2-58]\d{9}|(?!90)[1-9]\d{6,13})$/;
const email = /^[a-z0-9._%+'-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i;

export function isPhone(value: unknown): boolean {
  return phone.test(text(value));
}

export function isEmail(value: unknown): boolean {
  const address = text(value);
  return address.length >= 6 && address.length <= 265 && email.test(address);
}

const tooLong = (value: unknown) => /^\+\d/.test(text(value)) && text(value).length > 15;
const wantsPhone = (raw: Raw) => raw['type'] === 'MESAJ' || raw['type'] === 'ARAMA';
const wantsEmail = (raw: Raw) => raw['type'] === 'EPOSTA';

function dateBroken(raw: Raw, test: (date: Date) => boolean): boolean {
  const date = readDate(text(raw['consentDate']));
  return date instanceof Date && test(date);
}

function tooOld(raw: Raw, { nowMs, businessDaysMax }: Moment): boolean {
  if (businessDaysMax === 0 || raw['source'] === 'HS_2015') return false;
  return dateBroken(raw, date => businessDaysLater(date.getTime(), businessDaysMax) < nowMs);
}

/** Recipient and kind: shared by adding, status and history. */
export const addressRules: FormRule[] = [
  { code: 'H111', field: 'type', broken: raw => missing(raw['type']) },
  { code: 'H117', field: 'type', broken: raw => outside(raw['type'], consentTypes) },
  { code: 'H170', field: 'recipientType', broken: raw => missing(raw['recipientType']) },
  { code: 'H116', field: 'recipientType', broken: raw => outside(raw['recipientType'], recipientTypes) },
  { code: 'H114', field: 'recipient', broken: raw => missing(raw['recipient']) },
  { code: 'H166', field: 'recipient', broken: raw => !wantsEmail(raw) && tooLong(raw['recipient']) },
  { code: 'H121', field: 'recipient', broken: raw => wantsPhone(raw) && !isPhone(raw['recipient']) },
  { code: 'H120', field: 'recipient', broken: raw => wantsEmail(raw) && !isEmail(raw['recipient']) },
  { code: 'H122', field: 'recipient', broken: raw => !isPhone(raw['recipient']) && !isEmail(raw['recipient']) },
];

export const recordRules: FormRule[] = [
  { code: 'H118', field: '', broken: raw => Object.keys(raw).some(key => !known.has(key)) },
  ...addressRules.map(rule => (rule.code === 'H166' ? { ...rule, code: 'H160' as Code } : rule)),
  { code: 'H110', field: 'status', broken: raw => missing(raw['status']) },
  { code: 'H115', field: 'status', broken: raw => outside(raw['status'], statuses) },
  { code: 'H408', field: 'status', broken: raw => raw['source'] === 'HS_KARAR' && raw['status'] !== 'RET' },
  { code: 'H113', field: 'source', broken: raw => missing(raw['source']) && !(merchant(raw) && !('source' in raw)) },
  { code: 'H119', field: 'source', broken: raw => 'source' in raw && outside(raw['source'], sources) },
  {
    code: 'H112',
    field: 'consentDate',
    broken: raw => missing(raw['consentDate']) && !(merchant(raw) && !('consentDate' in raw)),
  },
  {
    code: 'H158',
    field: 'consentDate',
    broken: raw => 'consentDate' in raw && readDate(text(raw['consentDate'])) === 'shape',
  },
  { code: 'H157', field: 'consentDate', broken: raw => readDate(text(raw['consentDate'])) === 'calendar' },
  {
    code: 'H155',
    field: 'consentDate',
    broken: raw => raw['source'] === 'HS_2015' && raw['consentDate'] !== firstDate,
  },
  { code: 'H156', field: 'consentDate', broken: raw => dateBroken(raw, () => text(raw['consentDate']) < firstDate) },
  {
    code: 'H162',
    field: 'consentDate',
    broken: (raw, { nowMs }) => dateBroken(raw, date => date.getTime() > nowMs),
  },
  { code: 'H467', field: 'consentDate', broken: tooOld },
];

export function brokenForm(rules: FormRule[], raw: Raw, moment: Moment): Fault[] {
  const faults: Fault[] = [];
  const blamed = new Set<string>();
  for (const { code, field, broken } of rules) {
    if (blamed.has(field) || !broken(raw, moment)) continue;
    blamed.add(field);
    const location = field === '' ? Object.keys(raw).filter(key => !known.has(key)) : [field];
    const value = raw[location[0] ?? ''];
    faults.push(value === undefined ? { code, location } : { code, location, value });
  }
  return faults;
}

type StateRule = { code: Code; broken(raw: Raw, stored: Address | undefined): boolean };

// In this order: a RET of HS_KARAR on an unknown address gets H486 before H175, because its source is already wrong.
const stateRules: StateRule[] = [
  { code: 'H486', broken: (raw, stored) => stored === undefined && raw['source'] === 'HS_KARAR' },
  { code: 'H175', broken: (raw, stored) => stored === undefined && raw['status'] === 'RET' },
  { code: 'H463', broken: (raw, stored) => stored !== undefined && missing(raw['source']) },
  { code: 'H462', broken: (raw, stored) => stored !== undefined && missing(raw['consentDate']) },
  { code: 'H174', broken: (raw, stored) => stored?.current.status === 'RET' && raw['status'] === 'RET' },
  {
    code: 'H178',
    broken: (raw, stored) => stored !== undefined && text(raw['consentDate']) <= stored.current.consentDate,
  },
];

export function brokenState(raw: Raw, stored: Address | undefined): Code | null {
  return stateRules.find(rule => rule.broken(raw, stored))?.code ?? null;
}
