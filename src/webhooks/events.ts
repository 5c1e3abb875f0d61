// The names of webhook events, their kinds and the states of a delivery: one list each, for the worker, both contracts, the panel and
// the documentation. No imports, because the browser loads it.

/** What is posted about a message that was sent. */
export const messageEvents = ['accepted', 'delivered', 'undelivered'] as const;
/** The events that an address may subscribe to. */
export const webhookEvents = [...messageEvents, 'inbound'] as const;
export type WebhookEventName = (typeof webhookEvents)[number];
/** The events of an address for which nothing was chosen. */
export const defaultEvents: readonly WebhookEventName[] = messageEvents;

/** `final`: delivered or undelivered. */
export const eventKinds = ['accepted', 'final', 'inbound', 'test'] as const;
export type EventKind = (typeof eventKinds)[number];

export const deliveryStates = ['pending', 'delivered', 'given-up'] as const;
export type DeliveryState = (typeof deliveryStates)[number];
