// Lists as files. CSV: UTF-8 with BOM and semicolons, as Turkish spreadsheets expect. XLSX (xlsx-stream.ts): every cell is a
// text or a number, phone numbers are texts. Cells that begin like a formula are escaped in both; our importers read both.
import { csvText } from '../text/table-cell.ts';

export type Language = 'tr' | 'en';
export type Cell = string | number | null;

/** Fractions follow the reader's locale: 66,7 in Turkish. The comma is safe between semicolons. */
export function csvLine(cells: Cell[], language: Language): string {
  return `${cells.map(cell => csvCell(cell, language)).join(';')}\r\n`;
}

function csvCell(cell: Cell, language: Language): string {
  if (cell === null) return '';
  // A negative number of ours is not a formula.
  if (typeof cell === 'number') return language === 'tr' ? String(cell).replace('.', ',') : String(cell);
  return csvText(cell);
}

export const byteOrderMark = '\uFEFF';
