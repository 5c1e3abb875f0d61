// Shapes of the panel's contract: inbox and blacklist. Types only.
import type { RowSample } from '../send/contract.ts';

export type InboxFilter = {
  number?: string;
  keyword?: string;
  text?: string;
  from?: string;
  to?: string;
  cursor?: string;
};
export type InboxLine = {
  id: number;
  number: string;
  to: string;
  /** The word that brought it to the account, or the opt-out word in it; '' for neither. */
  keyword: string;
  text: string;
  receivedAt: string;
  /** 'blacklisted': the sender opted out. */
  effect: string | null;
};
/** `id`: of the newest message; `count`: how many of theirs are among those looked at. */
export type ConversationLine = { id: number; number: string; text: string; receivedAt: string; count: number };
export type InboxPage = { rows: InboxLine[]; next: string | null; numbers: { number: string; keyword: string }[] };
export type BlacklistSource = 'api' | 'panel' | 'optout' | 'import' | 'operator';
export type BlacklistFilter = {
  search?: string;
  source?: BlacklistSource;
  from?: string;
  to?: string;
  cursor?: string;
};
export type BlacklistLine = { number: string; source: BlacklistSource; note: string | null; addedAt: string };
export type BlacklistReport = {
  added: number;
  existing: number;
  /** Rows whose number stands in an earlier row. */
  repeated: number;
  /** Every one, with its reason. */
  invalid: RowSample[];
  invalidCount: number;
};
