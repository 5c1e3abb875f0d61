// Shapes of the panel's contract: the notification address and its deliveries. Types only.
import type { Both } from '../contract.ts';

export type Webhook = {
  /** Its number within the account. */
  id: number;
  url: string;
  /** Those that are posted to it. */
  events: ('accepted' | 'delivered' | 'undelivered' | 'inbound')[];
  previousSecretUntil: string | null;
  state: 'off' | 'healthy' | 'failing' | 'paused';
  reason: Both | null;
  failures: number;
  failingSince: string | null;
  nextProbeAt: string | null;
  lastSuccessAt: string | null;
  /** Not delivered yet, tried or not; over all addresses the figure of `live` and of the overview. */
  waiting: number;
  /** Among them those that were tried and wait for another try. */
  pending: number;
  givenUp: number;
};
export type DeliveryLine = {
  id: string;
  webhookId: number;
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
