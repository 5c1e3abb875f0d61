// Cancels a scheduled order that has not entered the dispatch flow; everything else is "not found" to the caller.
import { type Db, row, sql, transaction } from '../db/db.ts';
import { statementLimits } from '../db/statement-limits.ts';
import { Refusal } from '../status.ts';

const cancelSql = sql<{ cancelled: boolean }>('cancel order')`select cancel_order_1($1, $2) as cancelled`;

export async function cancelOrder(db: Db, accountId: number, orderId: number): Promise<void> {
  const answer = await transaction(db, tx => row(tx, cancelSql, [accountId, orderId]), statementLimits.large);
  if (!answer!.cancelled) throw new Refusal(455);
}
