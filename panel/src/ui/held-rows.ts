// Lists that do not jump under the eye. While somebody has scrolled or filtered, rows at hand are brought up to date in
// their places, and rows that came since wait behind a button that says how many they are.
import { useReducer, useRef } from 'react';

type KeyOf<Row> = (row: Row) => string;

/**
 * Rows in their places, with what is newly known of them. One that is missing was pushed off the end of the page by new
 * ones, and stays; or it has left the filter (an order that ended, in a list of running ones), and goes: kept, it would
 * say what is no longer so.
 */
export function updateRows<Row>(shown: Row[], read: Row[], hasMore: boolean, keyOf: KeyOf<Row>): Row[] {
  const known = new Map(read.map(row => [keyOf(row), row]));
  const last = hasMore ? shown.findLastIndex(row => known.has(keyOf(row))) : shown.length;
  return shown.flatMap((row, at) => known.get(keyOf(row)) ?? (at > last ? [row] : []));
}

/** How many came above the first row that is shown; what slid in below is not new. */
export function freshCount<Row>(shown: Row[], read: Row[], keyOf: KeyOf<Row>): number {
  const known = new Set(shown.map(keyOf));
  const first = read.findIndex(row => known.has(keyOf(row)));
  return first < 0 ? read.length : first;
}

// A wheel notch is about a hundred pixels; less is no reading position worth keeping.
const scrolledPx = 60;

type Read<Row> = { rows: Row[] | undefined; hasMore: boolean; isOfScope: boolean };
type Held<Row> = { scope: string; rows: Row[] };

/** `scope`: filters and page; a change of it begins anew. `isFiltered`: hold also at the top of the page. */
export function useHeldRows<Row>(read: Read<Row>, scope: string, isFiltered: boolean, keyOf: KeyOf<Row>) {
  const held = useRef<Held<Row> | null>(null);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const { rows } = read;
  if (rows === undefined || !read.isOfScope) held.current = null;
  else if (held.current?.scope === scope && (isFiltered || window.scrollY > scrolledPx))
    held.current = { scope, rows: updateRows(held.current.rows, rows, read.hasMore, keyOf) };
  else held.current = { scope, rows };
  const shown = held.current?.rows ?? rows;
  const fresh = shown && rows ? freshCount(shown, rows, keyOf) : 0;
  const show = () => {
    held.current = null;
    window.scrollTo({ top: 0 });
    redraw();
  };
  return { rows: shown, fresh, show };
}
