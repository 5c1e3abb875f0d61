// Progress that never decreases. Several processes answer the panel, each with an answer that may be a second old, so a
// poll can return older counters than the one before. A message ends once, so of two readings the one with more ended
// messages is newer, and that one is shown.
import type { OperationName, OutputOf } from '../../src/panel-api/contract/contract.ts';
import type { Counters } from '../../src/panel-api/orders/contract.ts';

const keptMax = 500;
const newest = new Map<number, Counters>();

export const endedOf = (counters: Counters): number => counters.delivered + counters.undelivered + counters.filtered;

/** The order with its newest known counters. */
export function forward<Order extends Counters & { id: number }>(order: Order): Order {
  const known = newest.get(order.id);
  if (known && known.total === order.total && endedOf(known) > endedOf(order)) return { ...order, ...known };
  const { total, delivered, undelivered, filtered, withCarrier, queued } = order;
  newest.delete(order.id);
  newest.set(order.id, { total, delivered, undelivered, filtered, withCarrier, queued });
  if (newest.size > keptMax) newest.delete(newest.keys().next().value as number);
  return order;
}

type Forwarders = { [Name in OperationName]?: (data: OutputOf<Name>) => OutputOf<Name> };

// Where the answers of operations contain orders.
const forwarders: Forwarders = {
  live: data => ({ ...data, running: data.running.map(forward) }),
  'overview.read': data => ({ ...data, running: data.running.map(forward) }),
  'orders.list': data => ({ ...data, rows: data.rows.map(forward) }),
  'orders.read': forward,
};

export function forwardAll<Name extends OperationName>(name: Name, data: OutputOf<Name>): OutputOf<Name> {
  const forwarder = forwarders[name] as ((data: OutputOf<Name>) => OutputOf<Name>) | undefined;
  return forwarder ? forwarder(data) : data;
}
