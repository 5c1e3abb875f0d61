// Files made in the browser. CSV as Turkish Excel opens it: UTF-8 with byte order mark, semicolons, and cells that
// would run as formulas disarmed.
export function toCsv(rows: (string | number)[][]): string {
  return `\ufeff${rows.map(row => row.map(csvCell).join(';')).join('\r\n')}\r\n`;
}

export function csvCell(value: string | number): string {
  if (typeof value === 'number') return String(value).replace('.', ',');
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[;"\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
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
