// Cells of the files we write and read, on the server and in the browser. Spreadsheets run text that begins like a formula,
// some also after blanks, quotes or with full-width signs, so such a text gets an apostrophe; a number is not a formula and
// stays unchanged. In CSV a phone number is written 0555 000 00 00 (foreign ones 00 and the rest): with blanks every
// spreadsheet keeps it as text and shows all of it, while +905550000000 becomes 9,05555E+11. All our importers read this form.
const formulaStart =
  /^(?:[\t\r]|[\s\u200B-\u200D\u2060\uFEFF"'`\u2018-\u201F\u00AB\u00BB]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\uFE63\uFE62\uFE66\u2212])/;
const plainNumber = /^[+-]?\d+(?:[.,]\d+)?$/;
const e164 = /^\+(\d{8,15})$/;
const turkishMobile = /^\+90(\d{3})(\d{3})(\d{2})(\d{2})$/;

export function guarded(text: string): string {
  return formulaStart.test(text) && !plainNumber.test(text) ? `'${text}` : text;
}

/** The original text of an escaped cell, also of older versions that escaped +90… too. */
export function unguarded(cell: string): string {
  return cell.charCodeAt(0) === 0x27 && formulaStart.test(cell.slice(1)) ? cell.slice(1) : cell;
}

/** A text in a line of CSV with semicolons. */
export function csvText(text: string): string {
  const safe = e164.test(text) ? phoneText(text) : guarded(text);
  return /[";\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function phoneText(number: string): string {
  const turkish = turkishMobile.exec(number);
  if (turkish) return `0${turkish.slice(1).join(' ')}`;
  return `00 ${number.slice(1)}`;
}
