// A column of the console's table, its rows, and those that are chosen in it.
import type { ReactNode } from 'react';

export type Column<Row> = {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  align?: 'right';
  /** Value to sort the rows at hand by; without it the column has no sort button. */
  sort?: (row: Row) => string | number;
  /** Place in a two-line row on a phone; without it the column is left out there. */
  phone?: 'title' | 'state' | 'line';
  /** There the header stands before the value: a bare figure says nothing without its column. */
  phoneLabel?: boolean;
  hideable?: boolean | 'hidden-at-first';
  width?: number | string;
};

/** Rows to be dealt with together; only those at hand can be chosen, so that the count is what one saw. */
export type Selection<Row> = {
  keys: ReadonlySet<string>;
  onChange: (keys: ReadonlySet<string>) => void;
  nameOf: (row: Row) => string;
};

/** Rows as they are read: on their way, there, or there from before a failure. */
export type TableData<Row> = {
  rows: Row[] | undefined;
  isPending: boolean;
  error: unknown;
  /** When the rows were read. */
  since: number;
  retry: () => void;
};
