// Shapes of the panel's contract: the notification address and its deliveries. Types only.
import type { Both } from '../contract.ts';

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
