// Types of the table: columns, rows, selection.
import type { ReactNode } from 'react';

export type Column<Row> = {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  align?: 'right';
  /** Value to sort the loaded rows by; without it the column has no sort button. */
  sort?: (row: Row) => string | number;
  /** Place in a two-line row on a phone; without it the column is left out there. */
  phone?: 'title' | 'state' | 'line';
  /** Shows the header before the value there: a bare number means nothing without its column. */
  phoneLabel?: boolean;
  hideable?: boolean | 'hidden-at-first';
  width?: number | string;
};

/** Selected rows. Only loaded rows can be selected, so the count is of visible rows. */
export type Selection<Row> = {
  keys: ReadonlySet<string>;
  onChange: (keys: ReadonlySet<string>) => void;
  nameOf: (row: Row) => string;
};

/** The rows and how they were loaded; after a failure the rows are the ones from before. */
export type TableData<Row> = {
  rows: Row[] | undefined;
  isPending: boolean;
  error: unknown;
  /** When the rows were read. */
  since: number;
  retry: () => void;
};
