// Shapes of the panel's contract: consent records, the registry's view of them, imports. Types only.
import type { Both } from '../contract.ts';

export type ConsentList = 'BIREYSEL' | 'TACIR';
export type ConsentType = 'MESAJ' | 'EPOSTA' | 'ARAMA';
export type SyncState = 'queued' | 'sent' | 'accepted' | 'refused';
export type ConsentOverview = {
  brands: {
    code: number;
    active: boolean;
    quota: number | null;
    usedThisMonth: number;
    waiting: number;
    pulledAt: string | null;
    isReconciling: boolean;
    pause: { code: string; sentence: Both; since: string } | null;
  }[];
  /** When the registry last answered, and what is wrong with it now. */
  answeredAt: string | null;
  trouble: RegistryTrouble | null;
  counts: Record<SyncState, number>;
};
export type ConsentQuery = { brand: number; recipient: string; recipientType: ConsentList; type: ConsentType };
export type ConsentAnswer = {
  recipient: string;
  current: { status: 'ONAY' | 'RET'; source: string; consentDate: string } | null;
  history: ConsentLine[];
};
export type ConsentListFilter = {
  brand?: number;
  recipient?: string;
  recipientType?: ConsentList;
  type?: ConsentType;
  status?: 'ONAY' | 'RET';
  syncState?: SyncState;
  origin?: 'api' | 'panel' | 'registry';
  from?: string;
  to?: string;
  cursor?: string;
};
export type ConsentLine = {
  id: number;
  brand: number;
  recipient: string;
  recipientType: ConsentList;
  type: ConsentType;
  status: 'ONAY' | 'RET';
  source: string;
  consentDate: string;
  origin: 'api' | 'panel' | 'registry';
  createdAt: string;
  syncState: SyncState;
  counts: boolean;
  syncedAt: string | null;
  attempts: number;
  code: string | null;
  reason: Both | null;
};
export type ConsentRefusalGroup = { code: string; sentence: Both; count: number; lastAt: string };
/** consentDate in Turkey time `YYYY-MM-DD HH:MM:SS`. */
export type ConsentRow = {
  recipient: string;
  recipientType: string;
  type: string;
  status: string;
  source: string;
  consentDate: string;
};
export type ConsentRule =
  | 'recipient'
  | 'recipientType'
  | 'type'
  | 'status'
  | 'source'
  | 'date-form'
  | 'date-future'
  | 'date-old'
  | 'ruling-first'
  | 'duplicate'
  | 'first-refusal';
export type ConsentIssue = {
  row: number;
  rule: ConsentRule /** false: only a warning. */;
  isBlocking: boolean;
  tr: string;
  en: string;
};
export type ConsentCheck = {
  given: number;
  valid: number;
  /** The first 1,000. */
  issues: ConsentIssue[];
  counts: Partial<Record<ConsentRule, number>>;
  /** Records that may still be registered this month; null = no limit. */
  quotaLeft: number | null;
};
/** `code` is the registry's own, or what kept us from having one. */
export type RegistryTrouble = { code: string; sentence: Both; since: string };
