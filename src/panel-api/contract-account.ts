// Shapes of the panel's contract: people, account, settings, applications, money. Types only.
import type { Both, Language, MemberRole, UploadedDocument } from './contract.ts';

export type Mode = 'english' | 'turkish' | 'unicode';
export type Paged<T> = { rows: T[]; next: string | null };

export type SignUp = {
  accountName: string;
  name?: string;
  email: string;
  mobile: string;
  password: string;
  language?: Language;
};
export type SignIn = { email: string; password: string /** TOTP or recovery code. */; code?: string };
export type InviteOffer = { accountName: string; email: string; role: MemberRole; isKnownUser: boolean };
/** A known user gives the present password (and code), a new one chooses it. */
export type AcceptInvite = { token: string; password: string; name?: string; mobile?: string; code?: string };

export type Me = {
  user: { id: number; email: string; name: string; language: Language; staff: boolean; hasTotp: boolean };
  /** null: the user belongs to no account (staff). */
  account: { id: number; name: string; status: 'active' | 'suspended'; role: MemberRole } | null;
  accounts: { id: number; name: string; role: MemberRole }[];
  /** Staff who look at `account` as its people see it: everything can be read, nothing changed. */
  viewing: { revealed: boolean; until: string } | null;
  /** A text of the operator is new: nothing of the account can be changed before it is accepted (`legal.accept`). */
  mustAccept: boolean;
  /** The caller's address as the server sees it. */
  address: string;
  /** The operator's public address of this server; '' when it is not set. */
  publicUrl: string;
  /** Changes with every release: a reason to reload. */
  version: string;
};
export type Profile = {
  email: string;
  name: string;
  /** +905… or '' */
  mobile: string;
  language: Language;
  hasTotp: boolean;
  recoveryCodesLeft: number;
  passwordChangedAt: string | null;
};
export type SessionLine = {
  id: number;
  isCurrent: boolean;
  address: string;
  agent: string;
  createdAt: string;
  seenAt: string;
};
export type Member = {
  userId: number;
  email: string;
  name: string;
  role: MemberRole;
  hasTotp: boolean;
  addedAt: string;
  lastSeenAt: string | null;
};
export type Invite = { id: number; email: string; role: MemberRole; createdAt: string; expiresAt: string };

export type AuditFilter = { actor?: string; action?: string; from?: string; to?: string; cursor?: string };
export type AuditLine = {
  id: number;
  at: string;
  accountId: number | null;
  /** E-mail address, 'işletmeci' for staff seen by a customer, or a word for the command line. */
  actor: string;
  action: string;
  detail: Record<string, unknown>;
  address: string | null;
};

/** The specification's seven steps, in order. */
export type OnboardingStep = {
  key: 'account' | 'subscription' | 'sender' | 'api' | 'key' | 'balance' | 'first-sms';
  state: 'done' | 'your-turn' | 'waiting';
  /** When it was done, or since when it waits. */
  at: string | null;
  note: Both | null;
};

/** `key` goes with the upload (X-Peyk-Document-Kind); `optional`: needed only in the case it names. */
export type NeededDocument = Both & { key: string; optional: boolean };
export type SenderState = 'applied' | 'approved' | 'rejected';
export type SenderLine = {
  name: string;
  state: SenderState;
  reason: string | null;
  createdAt: string;
  decidedAt: string | null;
  lastUsedAt: string | null;
  applicationId: number | null;
  documents: UploadedDocument[];
  /** The application while it waits. */
  waiting: Application | null;
};
export type SenderList = {
  senders: SenderLine[];
  /** APITEST may still be used. */
  testSender: string | null;
  hasSubscription: boolean;
  documentsNeeded: Record<ApplicantKind, NeededDocument[]>;
};
export type ApplicantKind = 'company' | 'sole-trader' | 'association' | 'public-body';
export type SenderApplication = { name: string; applicantKind: ApplicantKind; documents: number[]; note?: string };
export type ApplicationKind = 'subscription' | 'sender';
export type ApplicationState = 'applied' | 'approved' | 'rejected';
export type Application = {
  id: number;
  kind: ApplicationKind;
  state: ApplicationState;
  senderName: string | null;
  reason: string | null;
  createdAt: string;
  decidedAt: string | null;
  form: Record<string, string>;
  documents: UploadedDocument[];
  /** What the list asks for and nobody has handed in; more can be added while it waits. */
  missing: NeededDocument[];
  /** What staff asked for, and when something was added since. */
  asked: { note: string; at: string; answeredAt: string | null } | null;
};
export type SubscriptionApplication = {
  applicantKind: ApplicantKind;
  title: string;
  taxOffice: string;
  /** Tax number (10 digits) or identity number (11 digits). */
  taxNumber: string;
  /** MERSİS number, '' where there is none. */
  mersis?: string;
  address: string;
  contactName: string;
  contactMobile: string;
  kep?: string;
  documents: number[];
};
export type IdentityLine = {
  id: number;
  method: 'simulator' | 'manual';
  /** `failed`: no verdict came that could be believed. */
  state: 'begun' | 'confirmed' | 'refused' | 'failed';
  /** null: the operator's staff, as a customer sees them. */
  by: string | null;
  begunAt: string;
  finishedAt: string | null;
  /** The name that was confirmed, or what staff noted. */
  detail: string;
};
/** `method`: how it would be checked now. Newest first. */
export type IdentityStep = { method: 'simulator' | 'manual'; checks: IdentityLine[] };
export type Subscription = {
  /** Of the current application. */
  identity: IdentityStep;
  current: Application | null;
  history: Application[];
  documentsNeeded: Record<ApplicantKind, NeededDocument[]>;
};

export type BalanceView = {
  sms: number;
  amount: string;
  /** Held for messages under way. */
  reserved: number;
  /** Credits used per day, oldest first (Turkey days). */
  daily: { day: string; used: number }[];
};
/** `correct`: delivered after its credit had gone back, and so taken again. */
export type LedgerKind = 'grant' | 'reserve' | 'consume' | 'release' | 'correct';
export type LedgerFilter = {
  kind?: LedgerKind;
  orderId?: number;
  from?: string;
  to?: string;
  /** One line per order instead of one per movement; with a `kind` it changes nothing. */
  byOrder?: boolean;
  cursor?: string;
};
export type LedgerLine = {
  id: number;
  at: string;
  kind: LedgerKind;
  sms: number;
  reserved: number;
  amount: string;
  /** Spendable credits after this entry; null for a line that sums up an order. */
  balanceAfter: number | null;
  /** What became of the order's credits: the four are whole, reserved = consumed + released + held. */
  order: { reserved: number; consumed: number; released: number; held: number } | null;
  orderId: number | null;
  reason: string | null;
  actor: string | null;
};

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

export type Webhook = {
  url: string;
  inbound: boolean;
  /** Of messages: those that are posted. */
  events: ('accepted' | 'delivered' | 'undelivered')[];
  hasSecret: boolean;
  previousSecretUntil: string | null;
  state: 'none' | 'healthy' | 'failing' | 'paused';
  reason: Both | null;
  failures: number;
  failingSince: string | null;
  nextProbeAt: string | null;
  lastSuccessAt: string | null;
  /** Not delivered yet, tried or not; the same figure as in `live` and on the overview. */
  waiting: number;
  /** Among them those that were tried and wait for another try. */
  pending: number;
  givenUp: number;
};
export type DeliveryLine = {
  id: string;
  kind: 'accepted' | 'final' | 'inbound' | 'test';
  event: string;
  orderId: number | null;
  state: 'pending' | 'delivered' | 'given-up';
  events: number;
  attempts: number;
  createdAt: string;
  lastAt: string | null;
  nextAt: string | null;
  answerStatus: number | null;
  answerMs: number | null;
  error: Both | null;
};
export type Delivery = DeliveryLine & {
  url: string;
  body: string | null;
  timestamp: number | null;
  signature: string | null;
  answerBody: string | null;
};

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
    fields: Record<string, string>;
    codes: { code: number; text: string }[];
    result: string | null;
    /** Whole answers, as they come over the wire. */
    answer: unknown;
    refusal: unknown;
  }[];
};
