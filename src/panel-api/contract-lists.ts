// Shapes of the panel's contract: inbox, blacklist, refused calls of the API. Types only.

import type { Both } from './contract.ts';
import type { RowSample } from './contract-send.ts';

export type Remedy =
  | { kind: 'add-address'; address: string }
  | { kind: 'enable-api' }
  | { kind: 'api-access' }
  | { kind: 'balance' }
  | { kind: 'senders' }
  | { kind: 'sending' }
  | { kind: 'consent' }
  | { kind: 'none' };
export type CallFilter = {
  operation?: string;
  address?: string;
  /** The first eight characters of a key. */
  keyStart?: string;
  orderId?: number;
  from?: string;
  to?: string;
  cursor?: string;
};
/** A call that was answered 200; of a busy account some of them. */
export type CallLine = {
  id: number;
  at: string;
  operation: string;
  ms: number;
  orderId: number | null;
  /** null: the login of older clients. */
  keyStart: string | null;
  keyName: string | null;
  address: string;
};
export type RefusalFilter = {
  code?: number;
  cause?: string;
  operation?: string;
  address?: string;
  from?: string;
  to?: string;
  cursor?: string;
};
export type RefusalLine = {
  id: number;
  at: string;
  operation: string;
  code: number;
  cause: string;
  sentence: Both;
  fix: Both;
  remedy: Remedy;
  address: string | null;
  agent: string | null;
  /** The first eight characters of the key, where it is one of the account's. */
  keyStart: string | null;
  /** 422: field → text. */
  errors: Record<string, string> | null;
};
export type RefusalGroups = {
  groups: {
    code: number;
    cause: string;
    sentence: Both;
    fix: Both;
    remedy: Remedy;
    count: number;
    firstAt: string;
    lastAt: string;
    addresses: string[];
  }[];
  /** Accepted calls of the same days, by operation. */
  accepted: { operation: string; count: number }[];
  days: number;
};
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
