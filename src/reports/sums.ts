// The sums that reports add up.
/** Messages of orders that were to leave, and what they cost. */
export type Counted = {
  /** 0 in the cut by operator, because an order has numbers of several operators. */
  orders: number;
  total: number;
  delivered: number;
  /** Without filtered messages. */
  undelivered: number;
  filtered: number;
  credits: number;
};

export const noTraffic: Counted = { orders: 0, total: 0, delivered: 0, undelivered: 0, filtered: 0, credits: 0 };

/** Adds the sums of `one` to `sum`. */
export function addTraffic<Sum extends Counted>(sum: Sum, one: Counted): Sum {
  return {
    ...sum,
    orders: sum.orders + one.orders,
    total: sum.total + one.total,
    delivered: sum.delivered + one.delivered,
    undelivered: sum.undelivered + one.undelivered,
    filtered: sum.filtered + one.filtered,
    credits: sum.credits + one.credits,
  };
}
