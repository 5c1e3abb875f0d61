// Files made in the browser. CSV for Turkish Excel: UTF-8 with byte order mark, semicolons, and cells as in the server's files:
// formulas disarmed, telephone numbers as text.
import { csvText } from '../../../src/text/table-cell.ts';

export function toCsv(rows: (string | number)[][]): string {
  return `\ufeff${rows.map(row => row.map(csvCell).join(';')).join('\r\n')}\r\n`;
}

function csvCell(value: string | number): string {
  return typeof value === 'number' ? String(value).replace('.', ',') : csvText(value);
}

export function downloadText(name: string, text: string, type = 'text/csv;charset=utf-8'): void {
  saveFile(name, new Blob([text], { type }));
}

export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
