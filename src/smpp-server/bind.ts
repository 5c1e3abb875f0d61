// One bind of a customer, as the parts of this folder see it (customer-bind.ts).
import type { BindType } from '../smpp/pdus.ts';
import type { Session } from '../smpp/session.ts';
import type { PendingDelivery } from './outbox.ts';

export type Delivery = { pending: PendingDelivery; bind: CustomersBind };

/** `share`: this process's part of the rate. */
export type BindLimits = { rate: number | null; window: number; receiptWindow: number; share: number };

export type CustomersBind = {
  readonly id: number;
  readonly userId: number;
  readonly kind: BindType;
  readonly session: Session<Delivery>;
  readonly counts: { submits: number; refusals: number; receipts: number; unanswered: number };
  /** Since the last heartbeat, which clears it. */
  lastError: string | null;
  submitWindow: number;
  /** Deliveries at once. */
  window: number;
  /** Deliveries that were sent, with an outcome that is not stored yet. */
  inFlight: number;
  error(text: string): void;
  limit(limits: BindLimits): void;
  /** Ends the bind. */
  leave(why: string): void;
};
