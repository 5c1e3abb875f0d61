// Lists that do not jump. While the list is scrolled or filtered, its rows are updated in place, and new rows wait behind a
// button with their count.
import { useReducer, useRef } from 'react';

type KeyOf<Row> = (row: Row) => string;

/**
 * The shown rows, updated in place. A missing row after the last known one was pushed off the page by new rows: it stays. A
 * missing row before that no longer matches the filter (an order that ended, in a list of running ones): it goes.
 */
export function updateRows<Row>(shown: Row[], read: Row[], hasMore: boolean, keyOf: KeyOf<Row>): Row[] {
  const known = new Map(read.map(row => [keyOf(row), row]));
  const last = hasMore ? shown.findLastIndex(row => known.has(keyOf(row))) : shown.length;
  return shown.flatMap((row, at) => known.get(keyOf(row)) ?? (at > last ? [row] : []));
}

/** The number of rows above the first shown one; rows that moved up from the next page are not new. */
export function freshCount<Row>(shown: Row[], read: Row[], keyOf: KeyOf<Row>): number {
  const known = new Set(shown.map(keyOf));
  const first = read.findIndex(row => known.has(keyOf(row)));
  return first < 0 ? read.length : first;
}

// One notch of a wheel is about 100 px; below that the list counts as unscrolled.
const scrolledPx = 60;

type Read<Row> = { rows: Row[] | undefined; hasMore: boolean; isOfScope: boolean };
type Held<Row> = { scope: string; rows: Row[] };

/** `scope`: filters and page; a change resets the rows. `isFiltered`: hold rows at the top of the page too. */
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
