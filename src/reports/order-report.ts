// One order with a page of its messages. Message ids of an order are consecutive, so page 50 costs what page 1 costs.
import { type Queryable, row, type Sql } from '../db/db.ts';
import { knownBy } from '../orders/known-by.ts';
import type { MessageStatus, OrderState } from '../orders/states.ts';

export type OrderSummary = {
  id: number;
  state: OrderState;
  total: number;
  delivered: number;
  undelivered: number;
  submitAt: Date;
  sendAt: Date;
  sender: string;
  reserved: number;
  consumed: number;
};

type OrderReport = OrderSummary & { messages: { number: string; status: MessageStatus }[] };

/** Of orders o, for the report of one order and for the list. */
export const summaryColumns = `o.id, o.state, o.total, o.delivered, o.undelivered, o.submit_at as "submitAt", o.send_at as "sendAt",
  o.sender, o.reserved, o.consumed`;

// One statement, so that counters and messages belong to the same moment.
const reportSql: Sql<OrderReport> = {
  name: 'report order',
  text: `select ${summaryColumns}, (
      select coalesce(json_agg(json_build_object('number', coalesce('+' || m.number, m.given, ''), 'status', m.status) order by m.id), '[]')
      from messages m where m.account_id = o.account_id and m.id >= o.first_message_id + $3
        and m.id < o.first_message_id + least(o.total, $3 + $4)) as messages
    from orders o where o.id = $1 and o.account_id = $2`,
};
/** More messages than any order has. */
const offsetMax = 1_000_000;

export async function orderReport(
  db: Queryable,
  accountId: number,
  orderId: number,
  page: number,
  rowCount: number,
): Promise<OrderReport | null> {
  const from = Math.min((page - 1) * rowCount, offsetMax);
  const found = await knownBy(db, accountId, orderId, id => row(db, reportSql, [id, accountId, from, rowCount]));
  return found ?? null;
}
