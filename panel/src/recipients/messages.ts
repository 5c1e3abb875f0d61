// What the page and the worker that holds the recipients say to each other.
import type { Answer } from '../../../src/panel-api/contract/contract.ts';
import type { DraftHead, ListShape, RowSample, SendPreview } from '../../../src/panel-api/send/contract.ts';
import type { Problem } from '../../../src/tables/limits.ts';
import type { DateForm } from '../../../src/tables/shown-cell.ts';
import type { Gap } from '../../../src/tables/workbook.ts';
import type { Mode, PreparedText } from '../../../src/text/prepare.ts';
import type { Damage } from './columns.ts';

export type Summary = {
  /** Rows with a recipient, the header left out. */
  count: number;
  /** All rows but the header, with or without a column of numbers. */
  rowCount: number;
  names: string[];
  header: boolean;
  numberColumn: number;
  preview: string[][];
  damage: Damage[];
  gaps: Gap[];
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
  rowCount: 0,
  names: [],
  header: false,
  numberColumn: 0,
  preview: [],
  damage: [],
  gaps: [],
  sheets: [],
  sheet: 0,
  encoding: null,
  delimiter: null,
  problem: null,
  version: 0,
};
export type Measured = { worst: Longest | null; emptyFields: Record<string, number> };
export type RowView = {
  number: string;
  fields: Record<string, string> /** From 0. */;
  at: number /** In the file, from 1. */;
  line: number;
} | null;
/** What the worker has: `listVersion` changes with the rows, not with how they are read. */
export type LocalList = { rows: string[][]; shape: ListShape; listVersion: number };
type Kept = { id: number; preview: Answer<ListPreview & { version: number }> | null };
export type Opened = { head: DraftHead; summary: Summary; fileName: string | null; typed: string };
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
  /** That row or the next in that direction that gets a message. */
  next: { in: { from: number; step: 1 | -1 }; out: RowView };
  measure: { in: { template: string; mode: Mode; fallbacks: Record<string, string> }; out: Measured };
  /** Stores what changed and has it judged; null: overtaken by a newer change. */
  keep: { in: { head: DraftHead; fileName: string | null }; out: Answer<Kept> | null };
  /** A draft of the server, to go on with it here. */
  open: { in: { id: number }; out: Answer<Opened> };
  submit: { in: { version: number }; out: Answer<{ orderIds: number[] }> };
};
export type RequestName = keyof Requests;
