// Fills message_numbers behind the orders, so that all messages of one number can be found without an index that every
// acceptance would have to pay for. In small steps with pauses between them.

import { type Db, row, sql } from '../db/db.ts';
import { monotonicMs } from '../time/clock.ts';

const ordersAtOnce = 500;
const messagesAtOnce = 2_000;
// A quarter of a core at most, over all nodes that do it, which is still 25,000 messages a second: more than arrive.
const coreShare = 1 / 4;

const numberSql = sql<{ taken: number; nodes: number }>('number orders')`
  select number_ended_orders($1, $2) as taken, (select count(*) from dispatchers) as nodes`;

export async function numberingRound(db: Db): Promise<number | undefined> {
  const began = monotonicMs();
  const { taken, nodes } = (await row(db, numberSql, [ordersAtOnce, messagesAtOnce]))!;
  return taken > 0 ? restAfter(monotonicMs() - began, nodes) : undefined;
}

/** So long that all nodes together work for their share of the time. */
export function restAfter(workMs: number, nodes: number): number {
  return workMs * (Math.max(1, nodes) / coreShare - 1);
}
