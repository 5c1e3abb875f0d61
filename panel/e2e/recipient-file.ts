// A list of recipients as Turkish Excel saves it: windows-1254, semicolons, and telephone numbers damaged by Excel.
import { plainNumbers } from '../../test/support/customers/journey-numbers.ts';

const names = ['Şükrü', 'İpek', 'Çağla', 'Ömür', 'Gülşah', 'Işıl', 'Yağız', 'Ayşe'];
// Where windows-1254 differs from latin1.
const turkish: Record<string, number> = { Ğ: 0xd0, İ: 0xdd, Ş: 0xde, ğ: 0xf0, ı: 0xfd, ş: 0xfe };

export const nameOf = (row: number): string => names[row % names.length]!;

export function inWindows1254(text: string): Buffer {
  const moved = text.replace(/[ĞİŞğış]/g, letter => String.fromCharCode(turkish[letter]!));
  return Buffer.from(moved, 'latin1');
}

type CampaignFile = {
  bytes: Buffer;
  numbers: string[];
  blacklisted: string[];
  /** Rows as a spreadsheet counts them. */
  damaged: { exponent: number[]; decimal: number[] };
  counts: { rows: number; sendable: number; invalid: number; duplicate: number; blacklisted: number; empty: number };
};

/** 5,000 rows of "ad;telefon": valid ones, and a few with each kind of fault. */
export function campaignFile(): CampaignFile {
  const numbers = plainNumbers(4_975);
  const blacklisted = plainNumbers(5, 1);
  const [first, second] = plainNumbers(2, 2) as [string, string];
  const exponent = ['9,0555E+11', '9,05551E+11', '9,05552E+11'];
  const decimal = [`${first},0`, `${second},0`];
  const invalid = ['123', '0212 000 00 0', 'yok', '90555', '+1'];
  const duplicate = numbers.slice(0, 10);
  const emptyRows = 4;
  const cells = [...duplicate, ...numbers.slice(10), ...duplicate, ...blacklisted, ...exponent, ...decimal, ...invalid];
  const rows = cells.map((cell, at) => `${nameAt(at)};${cell}`);
  const lineOf = (cell: string) => cells.indexOf(cell) + 2;
  return {
    bytes: inWindows1254(['ad;telefon', ...rows].map(line => `${line}\r\n`).join('')),
    numbers: [...numbers, first, second],
    blacklisted,
    damaged: { exponent: exponent.map(lineOf), decimal: decimal.map(lineOf) },
    counts: {
      rows: cells.length,
      sendable: numbers.length + decimal.length,
      invalid: exponent.length + invalid.length,
      duplicate: duplicate.length,
      blacklisted: blacklisted.length,
      empty: emptyRows,
    },
  };

  function nameAt(at: number): string {
    // A duplicate has the same name and number.
    if (at >= numbers.length && at < numbers.length + duplicate.length) return nameOf(at - numbers.length);
    return at >= 100 && at < 100 + emptyRows ? '' : nameOf(at);
  }
}
