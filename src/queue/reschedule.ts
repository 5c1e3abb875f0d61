// Gives a scheduled order another time. An order that has begun or was cancelled is refused (455).
import { type Db, row, sql } from '../db/db.ts';
import { Refusal } from '../status.ts';

// An order is closed a fixed time after it is sent.
const moveSql = sql<{ id: number }>('order reschedule')`
  update orders set send_at = $3, close_after = close_after + ($3 - send_at)
  where id = $2 and account_id = $1 and state = 'scheduled' returning id`;

export async function rescheduleOrder(db: Db, accountId: number, orderId: number, sendAt: Date): Promise<void> {
  if (!(await row(db, moveSql, [accountId, orderId, sendAt]))) throw new Refusal(455);
}
