// Fills message_numbers behind the orders, so that all messages of one number can be found without an index that every
// acceptance would have to pay for. In small steps with pauses between them.
import { monotonicMs } from '../clock.ts';
import { type Db, row, sql } from '../db/db.ts';

const ordersAtOnce = 500;
const messagesAtOnce = 2_000;
// A quarter of a core at most, which is still 25,000 messages a second: more than arrive.
const restShare = 3;

const numberSql = sql<{ taken: number }>('number orders')`select number_orders_1($1, $2) as taken`;

export async function numberingRound(db: Db): Promise<number | undefined> {
  const began = monotonicMs();
  const { taken } = (await row(db, numberSql, [ordersAtOnce, messagesAtOnce]))!;
  return taken > 0 ? restShare * (monotonicMs() - began) : undefined;
}
