// Shapes of the panel's contract: orders, their messages, and one phone number. Types only.

import type { ConsentLine, ConsentList } from '../consent/contract.ts';
import type { Both } from '../contract.ts';

export type Operator = 'turkcell' | 'vodafone' | 'turktelekom' | 'other';
export type Encoding = 'gsm7' | 'turkish-locking' | 'turkish-single' | 'ucs2';
export type OrderState = 'scheduled' | 'sending' | 'finished' | 'cancelled' | 'failed';
/** What a person sees of a message; 110 is told apart by whether a carrier has it, 112 by whether we held it back. */
export type MessageState = 'queued' | 'with-carrier' | 'delivered' | 'undelivered' | 'filtered';
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
  stages: {
    key: 'accepted' | 'checked' | 'queued' | 'handed-over' | 'reported';
    at: string | null;
    isDone: boolean;
    /** The message ended here, badly; what follows never happens. */
    isStopped: boolean;
  }[];
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
