// The states of an order in storage, and the status code of each in the API.
export const orderStates = {
  scheduled: 113,
  sending: 113,
  finished: 114,
  cancelled: 115,
  failed: 115,
} as const;

export type OrderState = keyof typeof orderStates;

/** Status of a message: being sent, delivered, not delivered. */
export const messageStatuses = [110, 111, 112] as const;
export type MessageStatus = (typeof messageStatuses)[number];
