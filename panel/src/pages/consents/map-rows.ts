// Columns of a consent file to the fields of a record. A field is taken from a column ("#2") or is the same for all
// rows ("=MESAJ").
import type { ConsentRow } from '../../../../src/panel-api/consent/contract.ts';
import { fold } from '../../format.ts';
import { t } from '../../text/language.ts';

export type ConsentMap = Record<keyof ConsentRow, string>;
type MapField = {
  key: keyof ConsentRow;
  label: string;
  hint: string;
  values: Record<string, string>;
  names: string[];
  preset: string;
};

export function mapFields(): MapField[] {
  return [
    {
      key: 'recipient',
      label: t.consents.recipient,
      hint: '',
      values: {},
      names: ['recipient', 'alici', 'numara', 'number', 'telefon', 'phone', 'eposta', 'gsm'],
      preset: '#0',
    },
    {
      key: 'recipientType',
      label: t.consents.recipientType,
      hint: 'BIREYSEL, TACIR',
      values: t.recipientTypes,
      names: ['recipienttype', 'alici tipi', 'alicitipi', 'tip', 'liste', 'list'],
      preset: '=BIREYSEL',
    },
    {
      key: 'type',
      label: t.consents.type,
      hint: 'MESAJ, EPOSTA, ARAMA',
      values: t.consentTypes,
      names: ['type', 'kanal', 'tur'],
      preset: '=MESAJ',
    },
    {
      key: 'status',
      label: t.consents.status,
      hint: 'ONAY, RET',
      values: t.consentStatuses,
      names: ['status', 'izin', 'consent', 'durum'],
      preset: '=ONAY',
    },
    {
      key: 'source',
      label: t.consents.source,
      hint: 'HS_WEB, HS_MOBIL, …',
      values: t.consentSources,
      names: ['source', 'kaynak'],
      preset: '=HS_WEB',
    },
    {
      key: 'consentDate',
      label: t.consents.date,
      hint: 'YYYY-MM-DD HH:MM:SS',
      values: {},
      names: ['consentdate', 'consent date', 'tarih', 'izin tarihi'],
      preset: '#0',
    },
  ];
}

export function guessMap(header: string[]): ConsentMap {
  const folded = header.map(name => fold(name.trim()));
  const entries = mapFields().map(field => {
    const at = folded.findIndex(name => field.names.includes(name));
    return [field.key, at >= 0 ? `#${at}` : field.preset];
  });
  return Object.fromEntries(entries) as ConsentMap;
}

const brandNames = ['brand', 'brandcode', 'brand code', 'marka', 'marka kodu', 'markakodu'];

/** Where the file says whose consent it is, as our own export does; -1 where it does not. */
export function brandColumn(header: string[]): number {
  return header.findIndex(name => brandNames.includes(fold(name.trim())));
}

/** Rows of another brand are left out. */
export function ofBrand(rows: string[][], place: number, brand: number): number[] {
  const all = rows.map((_, at) => at);
  if (place < 0) return all;
  return all.filter(at => ['', String(brand)].includes((rows[at]?.[place] ?? '').trim()));
}

/** The columns of the file that the map uses. */
export function columnsOf(map: ConsentMap): number[] {
  const chosen = Object.values(map).filter(choice => choice.startsWith('#'));
  return [...new Set(chosen.map(choice => Number(choice.slice(1))))];
}

/** `rows` hold these columns, in this order. */
export function consentRows(rows: string[][], columns: number[], map: ConsentMap): ConsentRow[] {
  const value = (row: string[], choice: string) =>
    choice.startsWith('=') ? choice.slice(1) : (row[columns.indexOf(Number(choice.slice(1)))] ?? '');
  return rows.map(row => ({
    recipient: value(row, map.recipient).trim(),
    recipientType: value(row, map.recipientType).trim(),
    type: value(row, map.type).trim(),
    status: value(row, map.status).trim(),
    source: value(row, map.source).trim(),
    consentDate: wireDate(value(row, map.consentDate).trim()),
  }));
}

/** DD.MM.YYYY HH:MM[:SS] as Turkish Excel writes it, and the wire form without seconds. */
export function wireDate(given: string): string {
  const turkish = /^(\d{1,2})[./](\d{1,2})[./](\d{4})(?:[ T]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/.exec(given);
  const two = (text: string | undefined) => (text ?? '0').padStart(2, '0');
  if (turkish) {
    const [, day, month, year, hour, minute, second] = turkish;
    return `${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}:${two(second)}`;
  }
  const wire = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2})(:\d{2})?)?$/.exec(given);
  return wire ? `${wire[1]} ${wire[2] ?? '00:00'}${wire[3] ?? ':00'}` : given;
}

export function consentTemplate(): string[][] {
  return [
    ['recipient', 'recipientType', 'type', 'status', 'source', 'consentDate'],
    ['905550000000', 'BIREYSEL', 'MESAJ', 'ONAY', 'HS_WEB', '2026-11-15 14:30:00'],
  ];
}
