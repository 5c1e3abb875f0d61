// One order with a page of its messages. Message ids of an order are consecutive, so page 50 costs what page 1 costs.
import { type Queryable, row, rows, sql } from '../db/db.ts';
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

export type OrderReport = OrderSummary & { messages: { number: string; status: MessageStatus }[] };

const orderSql = sql<OrderSummary & { firstMessageId: number }>('report order')`
  select id, state, total, delivered, undelivered, submit_at as "submitAt", send_at as "sendAt", sender, reserved, consumed,
    first_message_id as "firstMessageId"
  from orders where id = $1 and account_id = $2`;
const messagesSql = sql<{ number: string; status: MessageStatus }>('report messages')`
  select coalesce('+' || number, given, '') as number, status from messages
  where account_id = $1 and id >= $2 and id < $3 order by id`;

export async function orderReport(
  db: Queryable,
  accountId: number,
  orderId: number,
  page: number,
  rowCount: number,
): Promise<OrderReport | null> {
  const order = await row(db, orderSql, [orderId, accountId]);
  if (!order) return null;
  const from = (page - 1) * rowCount;
  const to = Math.min(order.total, from + rowCount);
  const messages =
    from < order.total
      ? await rows(db, messagesSql, [accountId, order.firstMessageId + from, order.firstMessageId + to])
      : [];
  return { ...order, messages };
}
