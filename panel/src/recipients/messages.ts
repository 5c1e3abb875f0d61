// What the page and the worker that holds the recipients say to each other.
import type { Answer } from '../../../src/panel-api/contract.ts';
import type { SendDraft, SendPreview } from '../../../src/panel-api/contract-send.ts';
import type { Mode, PreparedText } from '../../../src/text/prepare.ts';
import type { Damage } from './columns.ts';

export type Problem = 'empty' | 'no-numbers' | 'too-large' | 'unreadable' | 'too-many';
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
export type Measured = { worst: (PreparedText & { row: number }) | null; emptyFields: Record<string, number> };
export type RowView = { number: string; fields: Record<string, string> } | null;
/** A draft without its recipients: the worker has them. */
export type DraftHead = Omit<SendDraft, 'recipients' | 'fields' | 'values'>;
export type Sent = { orderIds: number[]; orders: number; failed: Answer<never> | null };

export type Requests = {
  file: { in: { file: File; sheet: number }; out: Summary };
  text: { in: { text: string }; out: Summary };
  /** A file as plain rows, apart from the recipients; for imports of other kinds. */
  table: { in: { file: File; rowsMax: number }; out: { rows: string[][]; problem: Problem | null } };
  shape: { in: { header: boolean; numberColumn: number }; out: Summary };
  clear: { in: Record<string, never>; out: Summary };
  row: { in: { at: number }; out: RowView };
  measure: { in: { template: string; mode: Mode; fallbacks: Record<string, string> }; out: Measured };
  prepare: { in: { draft: DraftHead; perOrder: number }; out: Answer<SendPreview> };
  submit: { in: { draft: DraftHead; perOrder: number; key: string }; out: Sent };
};
export type RequestName = keyof Requests;
