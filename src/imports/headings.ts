// Finds which column of an export holds which field. Services name them differently, in Turkish and English, with and without
// accents and dots; some write no headings. So headings are compared in folded form, and without headings the columns are
// recognised by their content.
/** Column of each field; -1 if the file has none. */
export type Columns<F extends string> = Record<F, number>;
type Layout<F extends string> = { columns: Columns<F>; hasHeadings: boolean };

/** Lower-case letters without accents and dots, words separated by one space: "GSM No." becomes "gsm no". */
export function folded(text: string): string {
  return text
    .toLocaleLowerCase('tr')
    .replaceAll('ı', 'i')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** A row of headings names at least one field, if possible the most important one. */
export function layoutOf<F extends string>(
  names: Record<F, readonly string[]>,
  first: string[],
  fits: (cell: string) => boolean,
): Layout<F> {
  const row = first.map(folded);
  const fields = Object.keys(names) as F[];
  const columns = Object.fromEntries(fields.map(field => [field, columnOf(row, names[field])])) as Columns<F>;
  const hasHeadings = fields.some(field => columns[field] >= 0);
  if (hasHeadings) return { columns, hasHeadings };
  // Without headings, the required first field is the column where a cell matches it.
  columns[fields[0]!] = first.findIndex(fits);
  return { columns, hasHeadings };
}

/** Names are in order of confidence, so that "Telefon" wins over "Ad" whatever the order of columns. */
function columnOf(row: string[], names: readonly string[]): number {
  for (const name of names) {
    const at = row.indexOf(name);
    if (at >= 0) return at;
  }
  // "Telefon (GSM)": the heading says more than the name.
  for (const name of names) {
    const at = name.length < 3 ? -1 : row.findIndex(heading => heading.startsWith(`${name} `));
    if (at >= 0) return at;
  }
  return -1;
}
