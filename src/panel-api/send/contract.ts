// Shapes of the panel's contract: a message before it is sent, and the server's dry run of it. Types only.

import type { NumberFault } from '../../number-fault.ts';
import type { ConsentList } from '../consent/contract.ts';
import type { Mode, PanelError } from '../contract.ts';
import type { Encoding } from '../orders/contract.ts';

export type SendOptions = {
  /** Usable ones, the last used first. */
  senders: string[];
  mode: Mode;
  abroad: boolean;
  brands: number[];
  balance: number;
  rate: number;
  operatorCode: string;
  /** The signed-in user's own number, for "send to me first". */
  ownMobile: string;
  recipientsMax: number;
  partsMax: number;
};
/** Personal texts: `{field}` in `text` is replaced once per row, by the value in the column of that name. */
export type SendDraft = {
  sender: string;
  text: string;
  recipients: string[];
  /** Field names, and per recipient the values in that order; both absent for one text. */
  fields?: string[];
  values?: string[][];
  /** For empty values, by field name. */
  fallbacks?: Record<string, string>;
  /** Turkey time `YYYY-MM-DD HH:MM`, or null for now. */
  sendAt: string | null;
  commercial: boolean;
  list?: ConsentList | null;
  /** So many recipients an hour (an order each); absent or null: all at once. */
  perHour?: number | null;
  /** Hours of the day in Turkey (`21:00`) in which nothing is begun. */
  quiet?: QuietHours | null;
};
export type QuietHours = { from: string; to: string };
/** A draft on the server: the message without its recipients, which follow in pieces. */
export type DraftHead = Omit<SendDraft, 'recipients' | 'fields' | 'values'>;
export type ListShape = { fileName: string | null; header: boolean; numberColumn: number; names: string[] };
export type DraftLine = {
  id: number;
  /** The beginning of the text. */
  excerpt: string;
  sender: string;
  fileName: string | null;
  rows: number;
  who: string;
  updatedAt: string;
};
export type StoredDraft = {
  id: number;
  head: DraftHead;
  /** null without a list. */
  shape: ListShape | null;
  /** Of the file, its header included. */
  rows: number;
  version: number;
  listNo: number;
  /** Whether every piece of the list has arrived. */
  isWhole: boolean;
};
export type RowSample = {
  /** From 0. */ row: number;
  number: string /** Of a number that is none. */;
  fault?: NumberFault;
};
export type SendPreview = {
  given: number;
  sendable: number;
  invalid: number;
  duplicate: number;
  blacklisted: number;
  nonConsented: number;
  /** The first 1,000 of each. */
  rows: { invalid: RowSample[]; duplicate: RowSample[]; blacklisted: RowSample[]; nonConsented: RowSample[] };
  texts: number;
  /** The first row's text and the longest one's, as they will be sent. */
  first: PreparedText | null;
  longest: PreparedText | null;
  emptyFields: Record<string, number>;
  unknownFields: string[];
  credits: number;
  balance: number;
  balanceAfter: number;
  startAt: string;
  /** null where the pace is the carrier's. */
  endsAt: string | null;
  /** How many orders it becomes. */
  orders: number;
  /** Everything that would make send.submit refuse, each with its field. */
  problems: PanelError[];
};
export type PreparedText = { row: number; text: string; encoding: Encoding; units: number; parts: number };
