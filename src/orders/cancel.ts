// Cancels a scheduled order that has not entered the dispatch flow; everything else is "not found" to the caller.
import { type Queryable, row, sql } from '../db/db.ts';
import { Refusal } from '../status.ts';

const cancelSql = sql<{ cancelled: boolean }>('cancel order')`select cancel_order_1($1, $2) as cancelled`;

export async function cancelOrder(db: Queryable, accountId: number, orderId: number): Promise<void> {
  const answer = await row(db, cancelSql, [accountId, orderId]);
  if (!answer!.cancelled) throw new Refusal(455);
}
