// Shapes of the panel's contract: the operator's staff. Types only.

import type { RegistryTrouble } from '../consent/contract.ts';
import type { Both, Mode } from '../contract.ts';
import type { OrderState } from '../orders/contract.ts';
import type { Application, IdentityLine, SenderLine } from '../senders/contract.ts';
import type { Member } from '../session/contract.ts';
import type { Webhook } from '../webhook/contract.ts';

/** Why nothing is sent. */
export type Hold = {
  reason: 'operator' | 'other-database' | 'other-timeline' | 'other-folder';
  detail: string;
  since: string;
};
export type Status = {
  accounts: { active: number; suspended: number };
  /** Of the running Turkey day, all accounts. */
  today: { total: number; delivered: number; undelivered: number };
  carriers: { name: string; state: CarrierState; bound: number; binds: number }[];
  queue: LaneDepth[];
  webhooks: { failing: number; paused: number };
  registry: { answeredAt: string | null; trouble: RegistryTrouble | null; waiting: number };
  applicationsWaiting: number;
  /** Receipts at hand whose message is not known (yet), and when the oldest of them came. */
  unmatchedReceipts: { count: number; since: string | null };
  /** How far this host's clock is ahead of the database's (negative: behind); `differs`: by more than can be left alone. */
  clock: { aheadMs: number; differs: boolean };
  hold: Hold | null;
};
export type AccountLine = {
  id: number;
  name: string;
  status: 'active' | 'suspended';
  sms: number;
  rate: number;
  owner: string | null;
  createdAt: string;
  lastOrderAt: string | null;
};
export type AccountView = AccountLine & {
  amount: string;
  apiEnabled: boolean;
  mode: Mode;
  abroad: boolean;
  apiAddresses: string[];
  panelAddresses: string[];
  /** First 8 characters. */
  keyStart: string | null;
  users: Member[];
  senders: SenderLine[];
  brands: { code: number; quota: number | null; active: boolean }[];
  numbers: { number: string; keyword: string }[];
  webhooks: Webhook[];
  applications: Application[];
  orders30Days: { orders: number; total: number; delivered: number; undelivered: number };
  refusals24Hours: { cause: string; count: number; sentence: Both }[];
};
export type OpenedAccount = {
  id: number;
  key: string;
  hash: string;
  /** For clients that compute the hash themselves. */
  secret: string;
  invite: { token: string; email: string } | null;
};
export type UserLine = {
  userId: number;
  email: string;
  name: string;
  staff: boolean;
  hasTotp: boolean;
  accounts: { id: number; name: string; role: string }[];
  lastSeenAt: string | null;
};
export type SupportHit =
  | { kind: 'account'; id: number; name: string; status: 'active' | 'suspended'; owner: string | null }
  | { kind: 'order'; id: number; accountId: number; accountName: string; state: OrderState; submitAt: string }
  | { kind: 'number'; digits: string; accountId: number; accountName: string }
  | { kind: 'user'; email: string; name: string; staff: boolean; accounts: { id: number; name: string }[] };
export type ApplicationLine = {
  id: number;
  accountId: number;
  accountName: string;
  kind: 'subscription' | 'sender';
  state: 'applied' | 'approved' | 'rejected';
  senderName: string | null;
  createdAt: string;
  documents: number;
};
export type ApplicationView = Application & {
  accountId: number;
  accountName: string;
  applicant: string | null;
  decidedBy: string | null;
  hasSubscription: boolean;
  /** Approved sender IDs of any account that look alike. */
  similar: { accountId: number; accountName: string; name: string }[];
  rejectionReasons: Both[];
  /** Who the applicant was found to be, newest first. */
  identity: IdentityLine[];
};
export type CarrierState = 'paused' | 'bound' | 'partly bound' | 'connecting' | 'down';
export type CarrierLine = {
  id: number;
  name: string;
  host: string;
  port: number;
  state: CarrierState;
  paused: boolean;
  pauseReason: string | null;
  binds: number;
  windowSize: number;
  rate: number | null;
  priority: number;
  prefixes: string[];
  /** Every setting by its name in `settings`, as text; the password is never among them. */
  values: Record<string, string>;
  links: CarrierLink[];
  /** Newest first, at most 20; the same words are one line. */
  errors: CarrierError[];
  /** What it said of messages without ending them, newest first, at most 20. */
  words: CarrierWord[];
};
/** `word` as the carrier wrote it, or (none), (no id), (other words); `lastId`: the message id it last came with. */
export type CarrierWord = { word: string; times: number; lastId: string; firstAt: string; lastAt: string };
/** `error` in the words of the protocol or the system. */
export type CarrierError = { error: string; times: number; firstAt: string; lastAt: string };
/** Totals since the link's process began: two polls make a rate. */
export type CarrierLink = {
  slot: number;
  dispatcher: number;
  state: string;
  since: string;
  lastError: string | null;
  windowUsed: number;
  pace: number | null;
  submitted: number;
  throttled: number;
  refused: number;
  receipts: number;
  /** Since when these four count. */
  countingSince: string | null;
  at: string;
};
/** How a setting is asked for; `initial`: what a carrier has when nothing is said. */
export type CarrierField = {
  name: string;
  control:
    | { kind: 'number'; min: number; max: number; mayBeEmpty?: boolean }
    | { kind: 'switch' }
    | { kind: 'choice'; options: string[] }
    | { kind: 'text'; max: number };
  initial: string;
  isNeeded: boolean;
};
export type Carriers = { carriers: CarrierLine[]; settings: string[]; fields: CarrierField[]; at: string };
/** `error` in the words of the protocol or the system. */
export type CarrierTest = {
  outcome: 'bound' | 'sent' | 'failed';
  error: string | null;
  messageId: string | null;
  ms: number;
};
export type HistorySpan = 'hour' | 'day' | 'week';
/** By the minute for an hour, by ten minutes for a day, by the hour for a week; oldest first, without gaps. */
export type CarrierHistory = {
  stepSeconds: number;
  points: {
    at: string;
    submitted: number;
    throttled: number;
    refused: number;
    receipts: number;
    undelivered: number;
    /** Average from answer to receipt; null where none was measured. */
    lagSeconds: number | null;
    /** Refused submits and receipts of undelivered ones ÷ submits and receipts; null without any. */
    errorShare: number | null;
    unanswered: number;
    waiting: number;
    /** Receipts owed, 50,000 = that or more. */
    owed: number;
  }[];
};
export type LaneDepth = {
  lane: 'transactional' | 'campaign';
  messages: number;
  chunks: number;
  leased: number;
  quarantined: number;
  /** Due and not taken: since how long. */
  oldestSeconds: number;
};
export type Queue = {
  lanes: LaneDepth[];
  accounts: {
    accountId: number;
    name: string;
    lane: 'transactional' | 'campaign';
    messages: number;
    oldestSeconds: number;
  }[];
  scheduled: number;
};
export type FailingWebhook = {
  id: number;
  accountId: number;
  accountName: string;
  url: string;
  state: 'failing' | 'paused';
  reason: Both | null;
  failures: number;
  failingSince: string | null;
  nextProbeAt: string | null;
};
export type Registry = {
  answeredAt: string | null;
  trouble: RegistryTrouble | null;
  queued: number;
  sent: number;
  refused7Days: number;
  brands: {
    accountId: number;
    accountName: string;
    brand: number;
    waiting: number;
    pulledAt: string | null;
    pause: { code: string; sentence: Both; since: string } | null;
  }[];
};
