// What the page and the worker that holds the recipients say to each other.
import type { Answer } from '../../../src/panel-api/contract.ts';
import type { RowSample, SendDraft, SendPreview } from '../../../src/panel-api/contract-send.ts';
import type { Mode, PreparedText } from '../../../src/text/prepare.ts';
import type { Problem } from '../tables/limits.ts';
import type { DateForm } from '../tables/shown-cell.ts';
import type { Damage } from './columns.ts';

export type Summary = {
  /** Rows with a recipient, the header left out. */
  count: number;
  names: string[];
  header: boolean;
  numberColumn: number;
  preview: string[][];
  damage: Damage[];
  sheets: string[];
  sheet: number;
  encoding: string | null;
  delimiter: string | null;
  problem: Problem | null;
  /** Rises with every change of the list. */
  version: number;
};
/** `row` counts recipients from 0, `line` is where it stands in the file. */
export type Longest = PreparedText & { row: number; line: number };
export const nothingRead: Summary = {
  count: 0,
  names: [],
  header: false,
  numberColumn: 0,
  preview: [],
  damage: [],
  sheets: [],
  sheet: 0,
  encoding: null,
  delimiter: null,
  problem: null,
  version: 0,
};
export type Measured = { worst: Longest | null; emptyFields: Record<string, number> };
export type RowView = { number: string; fields: Record<string, string> } | null;
/** A draft without its recipients: the worker has them. */
export type DraftHead = Omit<SendDraft, 'recipients' | 'fields' | 'values'>;
export type Sent = { orderIds: number[]; orders: number; failed: Answer<never> | null };
/** A row as the file counts it: the first line is 1. */
export type LineSample = Omit<RowSample, 'row'> & { line: number };
/** The dry run with its samples found in the file. */
export type ListPreview = Omit<SendPreview, 'rows' | 'longest'> & {
  rows: Record<keyof SendPreview['rows'], LineSample[]>;
  longest: Longest | null;
};

/** A file as plain rows, apart from the recipients, for imports of other kinds. */
export type TableView = Pick<
  Summary,
  'count' | 'names' | 'header' | 'numberColumn' | 'preview' | 'sheets' | 'sheet' | 'problem'
> & { titles: string[] };
export type TableRows = { rows: string[][]; lines: number[] };

export type Requests = {
  file: { in: { file: File; sheet: number }; out: Summary };
  text: { in: { text: string }; out: Summary };
  table: { in: { file: File; sheet: number; dates: DateForm }; out: TableView };
  tableShape: { in: { header: boolean; numberColumn: number }; out: TableView };
  /** Rows from..to of the table, only these columns of them. */
  tableRows: { in: { from: number; to: number; columns: number[] }; out: TableRows };
  /** Ends the reading that is under way; its asker gets the problem "stopped". */
  stop: { in: Record<string, never>; out: null };
  shape: { in: { header: boolean; numberColumn: number }; out: Summary };
  clear: { in: Record<string, never>; out: Summary };
  row: { in: { at: number }; out: RowView };
  measure: { in: { template: string; mode: Mode; fallbacks: Record<string, string> }; out: Measured };
  prepare: { in: { draft: DraftHead; perOrder: number }; out: Answer<ListPreview> };
  submit: { in: { draft: DraftHead; perOrder: number; key: string }; out: Sent };
};
export type RequestName = keyof Requests;
