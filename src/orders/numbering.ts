// Fills message_numbers behind the orders, so that all messages of one number can be found without an index that every
// acceptance would have to pay for. In small steps, and only while little else waits.
import { type Db, row, sql } from '../db/db.ts';
import type { Log } from '../log.ts';
import { type Loop, startLoop } from '../loop.ts';

const ordersAtOnce = 500;
const messagesAtOnce = 5_000;
const pauseMs = 5_000;
const betweenMs = 50;

const numberSql = sql<{ taken: number }>('number orders')`select number_orders_1($1, $2) as taken`;

export function startNumbering(db: Db, log: Log): Loop {
  return startLoop('numbering', log, async () => {
    const { taken } = (await row(db, numberSql, [ordersAtOnce, messagesAtOnce]))!;
    return taken > 0 ? betweenMs : pauseMs;
  });
}
