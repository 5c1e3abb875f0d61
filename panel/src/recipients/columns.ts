// Which column holds the numbers, whether there is a header row, and what Excel has already ruined. All guesses; the
// person sees them and may choose otherwise, and the server alone decides which numbers are good.
import { decimalNumber, wholeNumber } from '../../../src/text/number-cell.ts';

/** `line` as a spreadsheet counts: the first row is 1. */
export type Damage = { line: number; cell: string; kind: 'exponent' | 'decimal' };
export type SheetShape = { header: boolean; names: string[]; numberColumn: number };

const sampleRowsMax = 200;
const damageMax = 1_000;
const numberLengthMax = 60;
const mobile = /^(?:\+|00)?(?:90|0)?5\d{9}$/;
const anyNumber = /^(?:\+|00)?\d{7,15}$/;
const exponent = /^\d(?:[.,]\d+)?E\+?\d{1,2}$/i;

function bare(cell: string): string {
  return cell.replace(/[\s()\-./]/g, '');
}

const looksLikeNumber = (cell: string): boolean =>
  mobile.test(bare(cell)) || exponent.test(cell) || decimalNumber.test(cell);

/** numberColumn is -1 where no column looks like telephone numbers. */
export function shapeOf(rows: string[][]): SheetShape {
  const width = rows.slice(0, sampleRowsMax).reduce((widest, row) => Math.max(widest, row.length), 0);
  const header = rows.length > 0 && !(rows[0] ?? []).some(cell => looksLikeNumber(cell) || anyNumber.test(bare(cell)));
  const body = rows.slice(header ? 1 : 0, sampleRowsMax);
  let numberColumn = -1;
  let bestScore = 0;
  for (let column = 0; column < width; column += 1) {
    const filled = body.filter(row => (row[column] ?? '') !== '');
    const score = filled.filter(row => looksLikeNumber(row[column] ?? '')).length;
    if (score > bestScore && score * 2 >= filled.length) {
      bestScore = score;
      numberColumn = column;
    }
  }
  return { header, names: namesOf(rows, header, width), numberColumn };
}

function namesOf(rows: string[][], header: boolean, width: number): string[] {
  const seen = new Set<string>();
  return Array.from({ length: width }, (_, column) => {
    const wanted = (header ? fieldName(rows[0]?.[column] ?? '') : '') || `alan${column + 1}`;
    const name = seen.has(wanted) ? `${wanted}${column + 1}` : wanted;
    seen.add(name);
    return name;
  });
}

/** A name that can stand between braces. */
function fieldName(header: string): string {
  return header
    .trim()
    .toLocaleLowerCase('tr')
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 40);
}

export function findDamage(rows: string[][], lines: number[], shape: SheetShape): Damage[] {
  const found: Damage[] = [];
  if (shape.numberColumn < 0) return found;
  for (let at = shape.header ? 1 : 0; at < rows.length && found.length < damageMax; at += 1) {
    const cell = rows[at]?.[shape.numberColumn] ?? '';
    const kind = exponent.test(cell) ? 'exponent' : decimalNumber.test(cell) ? 'decimal' : null;
    if (kind) found.push({ line: lines[at] ?? at + 1, cell, kind });
  }
  return found;
}

/** "5550000000.0" is whole although Excel made a decimal of it; an exponent has lost its digits for good. */
export function repaired(cell: string): string {
  // The server takes no longer ones; the longest number has 40 characters with all its blanks.
  return wholeNumber(cell).slice(0, numberLengthMax);
}
