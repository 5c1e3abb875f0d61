// Imports consents that the registry already holds, from exports of another service or of the registry. They are stored as the
// registry's own movements and not sent to it. Then each is checked at the registry, so that an old or wrong file does not
// grant a consent for long.

import { listBrands } from '../consent/brands.ts';
import { readRecipient } from '../consent/read-row.ts';
import type { ConsentDraft, ConsentStatus, ConsentType, RecipientType } from '../consent/record.ts';
import { takeOverConsents } from '../consent/take-over.ts';
import { wholeNumber } from '../text/number-cell.ts';
import { fromTurkeyTime, now } from '../time/clock.ts';
import { folded } from './headings.ts';
import { kindOf, numberHeadings, type Row, sorted } from './kinds.ts';

type Field = 'recipient' | 'recipientType' | 'type' | 'status' | 'source' | 'consentDate' | 'brand';

const words = {
  status: {
    ONAY: ['onay', 'onayli', 'onaylandi', 'izinli', 'izin var', 'kabul', 'approved', 'accept'],
    RET: ['ret', 'red', 'reddedildi', 'retli', 'izinsiz', 'izin yok', 'rejected', 'reject'],
  } satisfies Record<ConsentStatus, string[]>,
  type: {
    MESAJ: ['mesaj', 'sms', 'kisa mesaj', 'message'],
    ARAMA: ['arama', 'cagri', 'sesli arama', 'call'],
    EPOSTA: ['eposta', 'e posta', 'email', 'e mail', 'mail'],
  } satisfies Record<ConsentType, string[]>,
  recipientType: {
    BIREYSEL: ['bireysel', 'birey', 'individual'],
    TACIR: ['tacir', 'tacir esnaf', 'kurumsal', 'ticari', 'merchant'],
  } satisfies Record<RecipientType, string[]>,
};
const sourceForm = /^(HS|IYS)(_[A-Z0-9]{1,30}){0,3}$/;
const usualSource = 'IYS';

export const consentKind = kindOf<Field>({
  fields: {
    recipient: ['alici', 'recipient', 'alici adresi', 'iletisim adresi', ...numberHeadings, 'eposta', 'email'],
    recipientType: ['alici tipi', 'alici turu', 'recipienttype', 'recipient type', 'liste', 'tip', 'list'],
    type: ['izin turu', 'izin tipi', 'iletisim turu', 'iletisim kanali', 'kanal', 'type', 'tur'],
    status: ['izin durumu', 'onay durumu', 'durum', 'durumu', 'izin', 'status', 'consent'],
    source: ['izin kaynagi', 'kaynak', 'source'],
    consentDate: ['izin tarihi', 'onay tarihi', 'consentdate', 'consent date', 'islem tarihi', 'tarih', 'date'],
    brand: ['marka kodu', 'brandcode', 'brand code', 'markakodu', 'brand', 'marka'],
  },
  fits: cell => readRecipient(wholeNumber(cell.trim()), null, true) !== null,
  lacks: has => {
    if (!has('status')) return 'the file does not say who consents and who refuses: give --status ONAY or --status RET';
    return has('consentDate') ? null : 'the file has no column with the date of the consent';
  },
  async take(tx, { accountId, abroad, preset }, rows) {
    const brands = (await listBrands(tx, accountId)).filter(one => one.active).map(one => one.code);
    const read = sorted(rows, row => readRow({ ...presetTo(row, preset) }, brands, abroad));
    let added = 0;
    for (const brand of new Set(read.good.map(one => one.brand))) {
      const drafts = read.good.filter(one => one.brand === brand);
      added += await takeOverConsents(tx, accountId, brand, drafts);
    }
    return { added, known: read.good.length - added, refused: read.refused };
  },
});

function presetTo(row: Row<Field>, preset: Readonly<Record<string, string>>): Row<Field> {
  const given = Object.entries(preset).filter(([field]) => row[field as Field] === '');
  return { ...row, ...Object.fromEntries(given) };
}

function readRow(row: Row<Field>, brands: number[], abroad: boolean): (ConsentDraft & { brand: number }) | string {
  const type = wordOf(words.type, row.type || 'MESAJ');
  const recipientType = wordOf(words.recipientType, row.recipientType || 'BIREYSEL');
  const status = wordOf(words.status, row.status);
  if (!type) return `tür tanınmıyor / unknown type: ${row.type}`;
  if (!recipientType) return `liste tanınmıyor / unknown list: ${row.recipientType}`;
  if (!status) return `durum tanınmıyor / unknown status: ${row.status}`;
  const recipient = readRecipient(wholeNumber(row.recipient.trim()), type, abroad);
  if (!recipient) return `alıcı geçersiz / no valid recipient: ${row.recipient}`;
  const source = row.source.trim().toLocaleUpperCase('en') || usualSource;
  if (!sourceForm.test(source)) return `kaynak tanınmıyor / unknown source: ${row.source}`;
  const consentDate = readMoment(row.consentDate);
  if (!consentDate) return `tarih okunamıyor / the date cannot be read: ${row.consentDate}`;
  if (consentDate > now()) return `tarih ileride / the date lies ahead: ${row.consentDate}`;
  const brand = brandOf(row.brand, brands);
  if (typeof brand === 'string') return brand;
  return { brand, recipient, recipientType, type, status, source: source as ConsentDraft['source'], consentDate };
}

function wordOf<T extends string>(known: Record<T, string[]>, given: string): T | undefined {
  const word = folded(given);
  return (Object.keys(known) as T[]).find(one => known[one].includes(word));
}

/** Without a brand in the file or on the command line, the account's only brand is used. */
function brandOf(given: string, brands: number[]): number | string {
  const code = given.trim() === '' ? (brands.length === 1 ? brands[0]! : 0) : Number(given);
  if (brands.includes(code)) return code;
  return given.trim() === ''
    ? 'marka kodu yok / which brand is not said (--brand)'
    : `marka kodu hesapta yok / not a brand of the account: ${given}`;
}

const turkishForm = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})(?:[ T]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;
const isoForm = /^(\d{4})-(\d{2})-(\d{2})(?:[ T]+(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\.\d+)?)?$/;
const zonedForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})$/;

/** Reads times as Turkish exports, spreadsheets and the registry write them; Turkey's time unless a zone is given. */
export function readMoment(given: string): Date | null {
  const text = given.trim();
  if (zonedForm.test(text)) {
    const moment = new Date(text);
    return Number.isNaN(moment.getTime()) ? null : moment;
  }
  const turkish = turkishForm.exec(text);
  const parts = turkish ? [turkish[3], turkish[2], turkish[1], ...turkish.slice(4)] : isoForm.exec(text)?.slice(1);
  if (!parts) return null;
  const [year, month, day, hour, minute, second] = parts.map(part => Number(part ?? 0));
  return fromTurkeyTime(year!, month!, day!, hour ?? 0, minute ?? 0, second ?? 0);
}
