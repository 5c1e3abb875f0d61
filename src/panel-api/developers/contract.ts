// Shapes of the panel's contract: the API log and the reference of this server. Types only.
import type { Both } from '../contract.ts';

export type Developers = {
  baseUrl: string;
  key: string | null;
  /** What examples are filled with, so that they work as they stand: of this account and of who reads them. */
  sample: { sender: string; brand: number | null; orderId: number | null; mobile: string };
  operations: {
    name: string;
    path: string;
    aliases: string[];
    needs: string | null;
    fields: Record<string, { tr: string; en: string }>;
    codes: { code: number; text: string }[];
    result: string | null;
    /** Whole answers, as they come over the wire. */
    answer: unknown;
    refusal: unknown;
  }[];
};
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
