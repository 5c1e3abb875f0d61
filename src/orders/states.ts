// States of an order inside, and the status code each one has on the wire.
export const orderStates = {
  scheduled: 113,
  sending: 113,
  finished: 114,
  cancelled: 115,
  failed: 115,
} as const;

export type OrderState = keyof typeof orderStates;
