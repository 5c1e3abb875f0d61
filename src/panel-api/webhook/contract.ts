// Contract of the panel: webhook addresses and their deliveries.

import { type Static, Type } from '../../contract/type.ts';
import { deliveryStates, eventKinds, webhookEvents } from '../../webhooks/events.ts';
import { id, ifGiven, maybe, text, time, whole } from '../contract/fields.ts';
import { both, nothing, type Operations } from '../contract/shapes.ts';

const event = Type.Enum(webhookEvents);
export const webhook = Type.Object({
  /** Its number within the account. */
  id: Type.Number(),
  url: Type.String(),
  /** The events that are posted to it. */
  events: Type.Array(event),
  previousSecretUntil: Type.Nullable(Type.String()),
  state: Type.Enum(['off', 'healthy', 'failing', 'paused']),
  reason: Type.Nullable(both),
  failures: Type.Number(),
  failingSince: Type.Nullable(Type.String()),
  nextProbeAt: Type.Nullable(Type.String()),
  lastSuccessAt: Type.Nullable(Type.String()),
  /** Pending events, tried or not; over all addresses, the number that `live` and the overview show. */
  waiting: Type.Number(),
  /** Those of them that were tried and wait for a retry. */
  pending: Type.Number(),
  givenUp: Type.Number(),
});
export type Webhook = Static<typeof webhook>;
const deliveryLine = Type.Object({
  id: Type.String(),
  webhookId: Type.Number(),
  kind: Type.Enum(eventKinds),
  event: Type.String(),
  orderId: Type.Nullable(Type.Number()),
  state: Type.Enum(deliveryStates),
  events: Type.Number(),
  attempts: Type.Number(),
  createdAt: Type.String(),
  lastAt: Type.Nullable(Type.String()),
  nextAt: Type.Nullable(Type.String()),
  answerStatus: Type.Nullable(Type.Number()),
  answerMs: Type.Nullable(Type.Number()),
  error: Type.Nullable(both),
});
export type DeliveryLine = Static<typeof deliveryLine>;
const delivery = Type.Object({
  ...deliveryLine.properties,
  url: Type.String(),
  body: Type.Nullable(Type.String()),
  timestamp: Type.Nullable(Type.Number()),
  signature: Type.Nullable(Type.String()),
  answerBody: Type.Nullable(Type.String()),
});

const pagesMax = 1_000;
const webhookId = whole(1, 30_000);
const eventsChosen = ifGiven(Type.Array(event, { minItems: 1 }));
const ofWebhook = Type.Object({ id: webhookId });

export const webhookOperations = {
  'webhook.list': { input: nothing, output: Type.Object({ webhooks: Type.Array(webhook), max: Type.Number() }) },
  /** `secret` is in this answer and never again. */
  'webhook.add': {
    input: Type.Object({ url: text(2_000), events: eventsChosen }),
    output: Type.Object({ ...webhook.properties, secret: Type.String() }),
  },
  /** Omitted fields keep their value. Saving `url` or `enabled` tries the address at once. */
  'webhook.save': {
    input: Type.Object({
      id: webhookId,
      url: maybe(text(2_000)),
      events: eventsChosen,
      enabled: maybe(Type.Boolean()),
    }),
    output: webhook,
  },
  /** Including its pending events and its log. */
  'webhook.remove': { input: ofWebhook, output: nothing },
  'webhook.rotateSecret': {
    input: ofWebhook,
    output: Type.Object({ secret: Type.String(), previousUntil: Type.Nullable(Type.String()) }),
  },
  /** `webhook.delivery` returns the result by this id (`state` changes from `pending`). */
  'webhook.test': { input: ofWebhook, output: Type.Object({ deliveryId: Type.String() }) },
  'webhook.deliveries': {
    input: Type.Object({
      webhookId: maybe(webhookId),
      state: maybe(deliveryLine.properties.state),
      orderId: maybe(id()),
      page: maybe(whole(1, pagesMax)),
    }),
    output: Type.Object({ deliveries: Type.Array(deliveryLine), page: Type.Number(), hasMore: Type.Boolean() }),
  },
  'webhook.delivery': { input: Type.Object({ id: text(40) }), output: delivery },
  /** One delivery, or all that failed since a time, of one address or of all. */
  'webhook.resend': {
    input: Type.Object({ id: ifGiven(text(40)), failedSince: maybe(time()), webhookId: maybe(webhookId) }),
    output: Type.Object({ events: Type.Number() }),
  },
} satisfies Operations;
