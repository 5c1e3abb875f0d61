// Shapes of the panel's contract: settings of an account and its keys. Types only.
import type { Mode } from '../contract.ts';

export type Settings = {
  accountId: number;
  name: string;
  apiEnabled: boolean;
  mode: Mode;
  abroad: boolean;
  rate: number;
  /** Those of the law, then those the account added. */
  optOutKeywords: string[];
  /** Which no account can take away. */
  legalKeywords: string[];
  apiAddresses: string[];
  panelAddresses: string[];
  /** The caller's own address. */
  address: string;
  /** Who called the API in the last 7 days; `isListed` by the list as it stands. */
  recentAddresses: { address: string; calls: number; refused: number; lastAt: string; isListed: boolean }[];
  /** The newest that stays; null for viewers. The hash is never here. */
  key: ApiKeyLine | null;
  /** All that work now, the newest first; empty for viewers. */
  keys: ApiKeyLine[];
  keysMax: number;
  /** The login of older clients; null while it is off, and for viewers. */
  oldLogin: { username: string; since: string } | null;
  /** `key` is null for viewers. */
  oldKeys: {
    key: string | null;
    keyStart: string;
    name: string;
    disabledAt: string;
    reason: string | null;
    refusedCalls: number;
  }[];
  retentionDays: number;
  /** Credits below which the bell says so, and whether the owner's phone does too. */
  lowBalance: number | null;
  lowBalanceSms: boolean;
};
/** Hash and secret are in this answer and never again. */
export type NewKey = { key: string; hash: string; secret: string };
export type ApiKeyLine = {
  key: string;
  /** '' where none was given. */
  name: string;
  createdAt: string;
  /** It was rotated and works until then. */
  endsAt: string | null;
  lastUse: { at: string; address: string; operation: string } | null;
};
export type CredentialVerdict = {
  verdict:
    | 'right'
    | 'blanks'
    | 'computed'
    | 'secret'
    | 'old-key'
    | 'wrong-hash'
    | 'foreign-key'
    | 'right-but-off'
    | 'right-but-address';
  tr: string;
  en: string;
};
