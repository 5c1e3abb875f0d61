// Fills message_numbers in the background, so that all messages of a number can be found without an index that slows down every
// acceptance. Works in small steps with pauses.

import { type Db, row, sql } from '../db/db.ts';
import { monotonicMs } from '../time/clock.ts';

const ordersAtOnce = 500;
const messagesAtOnce = 2_000;
// At most a quarter of a core over all nodes, which is 25,000 messages a second: more than arrive.
const coreShare = 1 / 4;

const numberSql = sql<{ taken: number; nodes: number }>('number orders')`
  select number_ended_orders($1, $2) as taken, (select count(*) from dispatchers) as nodes`;

export async function numberingRound(db: Db): Promise<number | undefined> {
  const began = monotonicMs();
  const { taken, nodes } = (await row(db, numberSql, [ordersAtOnce, messagesAtOnce]))!;
  return taken > 0 ? restAfter(monotonicMs() - began, nodes) : undefined;
}

/** The pause after which all nodes together use their share of a core. */
export function restAfter(workMs: number, nodes: number): number {
  return workMs * (Math.max(1, nodes) / coreShare - 1);
}
