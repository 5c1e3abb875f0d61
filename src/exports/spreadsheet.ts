// Lists as files. CSV: UTF-8 with BOM and semicolons, as Turkish spreadsheets expect it. XLSX (xlsx-stream.ts): every
// cell a text or a number, phone numbers as text. What begins like a formula is neutralised in both; our importers read both.
import { csvText } from '../text/table-cell.ts';

export type Language = 'tr' | 'en';
export type Cell = string | number | null;

/** A fraction is written as the reader's spreadsheet reads it: 66,7 in Turkish. The comma is safe between semicolons. */
export function csvLine(cells: Cell[], language: Language): string {
  return `${cells.map(cell => csvCell(cell, language)).join(';')}\r\n`;
}

function csvCell(cell: Cell, language: Language): string {
  if (cell === null) return '';
  // A negative figure of ours is a number, not a formula.
  if (typeof cell === 'number') return language === 'tr' ? String(cell).replace('.', ',') : String(cell);
  return csvText(cell);
}

export const byteOrderMark = '\uFEFF';
