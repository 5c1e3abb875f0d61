// States of an order inside, and the status code each one has on the wire.
export const orderStates = {
  scheduled: 113,
  sending: 113,
  finished: 114,
  cancelled: 115,
  failed: 115,
} as const;

export type OrderState = keyof typeof orderStates;

/** Of a message, on the wire and in storage: being sent, delivered, not delivered. */
export const messageStatuses = [110, 111, 112] as const;
export type MessageStatus = (typeof messageStatuses)[number];
