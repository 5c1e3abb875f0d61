// Table of what can be imported: the fields of a row with the headings that services use, and the function that stores a batch.
// Each batch is one transaction and existing entries are left unchanged, so an interrupted import is simply run again.
import type { Tx } from '../db/db.ts';

export type Row<F extends string = string> = Record<F, string> & { line: number };
type RefusedRow = { line: number; reason: string };
type Taken = { added: number; known: number; refused: RefusedRow[] };
export type Context = {
  accountId: number;
  /** Whether the account may write to numbers abroad. */
  abroad: boolean;
  fileName: string;
  /** Values for all rows, for columns that the file lacks. */
  preset: Readonly<Record<string, string>>;
};

export type Kind<F extends string = string> = {
  /** The first field is the one that every row needs. */
  fields: Record<F, readonly string[]>;
  /** Whether a cell can be the first field; distinguishes rows from headings. */
  fits(cell: string): boolean;
  /** Which required columns are missing, in words; null if none. */
  lacks?(has: (field: string) => boolean): string | null;
  take(tx: Tx, context: Context, rows: Row<F>[]): Promise<Taken>;
};

/** Hides the type of the fields, which only the kind itself knows. */
export function kindOf<F extends string>(kind: Kind<F>): Kind {
  return kind as unknown as Kind;
}

/** Splits rows into readable and unreadable ones, each with its reason. */
export function sorted<F extends string, T>(
  rows: Row<F>[],
  read: (row: Row<F>) => T | string,
): { good: T[]; refused: RefusedRow[] } {
  const good: T[] = [];
  const refused: RefusedRow[] = [];
  for (const row of rows) {
    const found = read(row);
    if (typeof found === 'string') refused.push({ line: row.line, reason: found });
    else good.push(found);
  }
  return { good, refused };
}

export const numberHeadings = [
  'gsm no',
  'gsm',
  'gsm numarasi',
  'cep telefonu',
  'cep telefon',
  'cep no',
  'cep',
  'telefon numarasi',
  'telefon no',
  'telefon',
  'tel no',
  'tel',
  'numara',
  'no',
  'alici',
  'alici no',
  'alici numarasi',
  'msisdn',
  'phone number',
  'phone',
  'mobile',
  'number',
  'recipient',
] as const;
