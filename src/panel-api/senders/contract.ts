// Shapes of the panel's contract: sender IDs, the subscription, applications with their documents. Types only.
import type { Both, UploadedDocument } from '../contract.ts';

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
