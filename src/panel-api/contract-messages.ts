// Shapes of the panel's contract: sending, orders, numbers, inbox, blacklist, consent, overview. Types only.
import type { Both, ExportKind, Language, PanelError } from './contract.ts';
import type { Mode } from './contract-account.ts';
import type { RegistryTrouble } from './contract-staff.ts';

export type Operator = 'turkcell' | 'vodafone' | 'turktelekom' | 'other';
export type Encoding = 'gsm7' | 'turkish-locking' | 'turkish-single' | 'ucs2';
export type OrderState = 'scheduled' | 'sending' | 'finished' | 'cancelled' | 'failed';
/** What a person sees of a message; 110 is told apart by whether a carrier has it, 112 by whether we held it back. */
export type MessageState = 'queued' | 'with-carrier' | 'delivered' | 'undelivered' | 'filtered';
export type ConsentList = 'BIREYSEL' | 'TACIR';
export type Period = '24h' | '7d' | '30d';

/** The five always sum to `total`. */
export type Counters = {
  total: number;
  delivered: number;
  undelivered: number;
  filtered: number;
  withCarrier: number;
  queued: number;
};
export type OrderLine = Counters & {
  id: number;
  state: OrderState;
  sender: string;
  textStart: string;
  texts: number;
  commercial: ConsentList | null;
  /** `who`: e-mail address of the panel user. */
  source: { kind: 'api' | 'panel' | 'other'; who: string | null };
  submitAt: string;
  sendAt: string;
  finishedAt: string | null;
  /** Consumed plus still reserved. */
  credits: number;
};
export type OrderFilter = {
  state?: OrderState;
  sender?: string;
  source?: 'api' | 'panel';
  commercial?: boolean;
  from?: string;
  to?: string;
  /** Order id, phone number in any form, or a piece of the text. */
  search?: string;
  cursor?: string;
  limit?: number;
};
export type OrderPage = { rows: OrderLine[]; next: string | null; retentionDays: number };

export type Reason = {
  /** Number stored with the message; key: a word. */
  no: number;
  key: string;
  tr: string;
  en: string;
  advice: Both;
  filtered: boolean;
};
export type OrderView = OrderLine & {
  resent: number;
  reserved: number;
  consumed: number;
  cancelledBy: string | null;
  reasons: (Reason & { count: number })[];
  operators: (Counters & { operator: Operator })[];
  /** Cumulative over time since sendAt, oldest first. */
  curve: { at: string; delivered: number; undelivered: number }[];
  /** Seconds after sendAt by which half and nine tenths of the delivered ones were delivered. */
  p50Seconds: number | null;
  p90Seconds: number | null;
  /** The first 20 texts. */
  textList: { no: number; text: string; encoding: Encoding; parts: number; recipients: number }[];
  ledger: { at: string; kind: string; sms: number; reserved: number }[];
  webhook: { pending: number; givenUp: number };
};
export type RecipientFilter = {
  id: number;
  state?: MessageState;
  reason?: number;
  operator?: Operator;
  /** In any form, or its last digits. */
  number?: string;
  cursor?: string;
  limit?: number;
};
export type RecipientLine = {
  messageId: number;
  /** +90…, or a bad one as given. */
  number: string;
  operator: Operator | null;
  status: number;
  state: MessageState;
  reason: Reason | null;
  credits: number;
  finalAt: string | null;
  textNo: number;
};
export type RecipientPage = { rows: RecipientLine[]; next: string | null };
export type MessageView = RecipientLine & {
  orderId: number;
  sender: string;
  text: string;
  encoding: Encoding;
  parts: number;
  acceptedAt: string;
  sendAt: string;
  /** Kabul → Kontroller → Kuyruk → Operatöre verildi → Rapor; `at` null where it has not happened or is not kept. */
  stages: { key: 'accepted' | 'checked' | 'queued' | 'handed-over' | 'reported'; at: string | null; isDone: boolean }[];
  technical: { carrier: string | null; carrierIds: string[]; partsHandedOver: number };
};

export type NumberEvent =
  | ({ kind: 'message'; at: string; orderId: number; sender: string; textStart: string } & RecipientLine)
  | { kind: 'inbound'; at: string; to: string; text: string; effect: string | null }
  | { kind: 'blacklisted'; at: string; source: string; note: string | null }
  | { kind: 'consent'; at: string; record: ConsentLine };
export type NumberView = {
  /** +90… */
  number: string;
  operator: Operator;
  blacklist: { since: string; source: string; note: string | null } | null;
  consents: {
    brand: number;
    type: string;
    recipientType: string;
    status: 'ONAY' | 'RET';
    source: string;
    consentDate: string;
  }[];
  /** Newest first. Blacklist, consent and inbound stand on the first page only. */
  events: NumberEvent[];
  next: string | null;
};

export type Overview = {
  balance: number;
  today: Counters;
  /** delivered ÷ (delivered + undelivered), null without any; filtered ones count in neither. */
  deliveryRate: number | null;
  series: { at: string; delivered: number; undelivered: number; filtered: number; waiting: number }[];
  step: 'hour' | 'day';
  operators: { operator: Operator; delivered: number; undelivered: number }[];
  /** How many messages the operator figures were counted over, newest first. */
  operatorsBasis: number;
  running: RunningOrder[];
  attention: Attention[];
};
export type RunningOrder = OrderLine & {
  /** Final messages per second lately, and seconds left at that pace. */
  perSecond: number | null;
  secondsLeft: number | null;
};
export type Attention =
  | { kind: 'api-refusals'; count: number; causes: { cause: string; tr: string; en: string; count: number }[] }
  | { kind: 'webhook'; state: 'failing' | 'paused'; reason: Both | null; waiting: number }
  | { kind: 'consent-refusals'; count: number }
  | { kind: 'low-balance'; sms: number }
  | { kind: 'sender-rejected'; name: string; reason: string | null }
  | { kind: 'suspended' };

export type ExportAsked = {
  kind: ExportKind;
  format: 'csv' | 'xlsx';
  language: Language;
  /** The members of the list's filter. */
  filter: Record<string, unknown>;
};
export type ExportLine = {
  id: number;
  kind: ExportKind;
  format: 'csv' | 'xlsx';
  state: 'waiting' | 'running' | 'ready' | 'failed';
  rows: number;
  bytes: number;
  createdAt: string;
  /** null while it is being made. */
  expiresAt: string | null;
  isFetched: boolean;
};

/** The one poll: small and cheap. */
export type Live = {
  now: string;
  version: string;
  balance: number;
  running: RunningOrder[];
  scheduled: number;
  /** Id of the newest inbound message; 0 when there is none. */
  inboxLatest: number;
  /** Of the last 24 hours. */
  apiRefusals: number;
  webhookState: 'none' | 'healthy' | 'failing' | 'paused';
  /** The figure that the balance is below, null while it is not. */
  lowBalance: number | null;
  /** Large downloads, the newest first. */
  exports: ExportLine[];
  /** Only for staff. */
  staff: { carriersDown: number; applicationsWaiting: number; oldestWaitingSeconds: number } | null;
};
export type SearchHit =
  | { kind: 'order'; id: number; sender: string; submitAt: string; state: OrderState }
  | { kind: 'number'; number: string; digits: string }
  | { kind: 'sender'; name: string; state: string };

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
};
export type RowSample = { /** From 0. */ row: number; number: string };
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
  /** Everything that would make send.submit refuse, each with its field. */
  problems: PanelError[];
};
export type PreparedText = { row: number; text: string; encoding: Encoding; units: number; parts: number };

export type Remedy =
  | { kind: 'add-address'; address: string }
  | { kind: 'enable-api' }
  | { kind: 'api-access' }
  | { kind: 'balance' }
  | { kind: 'senders' }
  | { kind: 'sending' }
  | { kind: 'consent' }
  | { kind: 'none' };
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
export type BlacklistReport = { added: number; existing: number; invalid: RowSample[]; invalidCount: number };

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
