// Which column of an export holds what. Services name them differently, in Turkish and English, with and without accents
// and dots; some write no headings at all. So headings are compared folded, and without any the columns are told by what
// stands in them.
export type FieldNames = Record<string, readonly string[]>;
/** Column of each field; -1 where the file has none. */
export type Columns<F extends string> = Record<F, number>;
export type Layout<F extends string> = { columns: Columns<F>; hasHeadings: boolean };

/** Small letters without accents and dots, words apart by one blank: "GSM No." is "gsm no". */
export function folded(text: string): string {
  return text
    .toLocaleLowerCase('tr')
    .replaceAll('ı', 'i')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** A row of headings names at least one field, and the field that matters most if it can. */
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
  // No headings: the first field, which every kind has, is where something fits it.
  columns[fields[0]!] = first.findIndex(fits);
  return { columns, hasHeadings };
}

/** Names are ordered: the surest first, so that "Telefon" wins over "Ad" however the columns stand. */
function columnOf(row: string[], names: readonly string[]): number {
  for (const name of names) {
    const at = row.indexOf(name);
    if (at >= 0) return at;
  }
  // "Telefon (GSM)": more is said than the name.
  for (const name of names) {
    const at = name.length < 3 ? -1 : row.findIndex(heading => heading.startsWith(`${name} `));
    if (at >= 0) return at;
  }
  return -1;
}
