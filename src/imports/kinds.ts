// What can be imported, as a table: the fields of a row with the headings under which services export them, and what is done
// with a batch. Each batch is one transaction, and what is there already is left as it is, so an import that was cut off is
// simply run again.
import type { Tx } from '../db/db.ts';

export type Row<F extends string = string> = Record<F, string> & { line: number };
export type RefusedRow = { line: number; reason: string };
export type Taken = { added: number; known: number; refused: RefusedRow[] };
export type Context = {
  accountId: number;
  /** Whether the account may write to numbers abroad. */
  abroad: boolean;
  fileName: string;
  /** Values for all rows, where the file has no column for them. */
  preset: Readonly<Record<string, string>>;
};

export type Kind<F extends string = string> = {
  /** The first is the field that no row can do without. */
  fields: Record<F, readonly string[]>;
  /** Whether a cell can be the first field: tells rows from headings where the file has none. */
  fits(cell: string): boolean;
  /** What a file without these columns lacks, in words; null = nothing. */
  lacks?(has: (field: string) => boolean): string | null;
  take(tx: Tx, context: Context, rows: Row<F>[]): Promise<Taken>;
};

/** A kind among others: its fields are known to itself alone. */
export function kindOf<F extends string>(kind: Kind<F>): Kind {
  return kind as unknown as Kind;
}

/** Splits rows into those that can be read and those that cannot, each with its reason. */
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
