// Cancels a scheduled order that has not begun; any other is refused (455).
import { type Db, row, run, sql, transaction } from '../db/db.ts';
import { statementLimits } from '../db/statement-limits.ts';
import { Refusal } from '../status.ts';

// Either this or the start of the order moves it out of 'scheduled'.
const cancelSql = sql<{ first: number; last: number }>('cancel order')`
  update orders set state = 'cancelled', finished_at = now(), close_after = now()
  where id = $2 and account_id = $1 and state = 'scheduled'
  returning first_message_id as first, first_message_id + total - 1 as last`;
const settleSql = sql('cancel messages')`
  select settle(array_agg(m.id order by m.id), array_agg(112::smallint), array_agg(9::smallint))
  from messages m where m.account_id = $1 and m.id between $2 and $3 and m.status = 110`;

export async function cancelOrder(db: Db, accountId: number, orderId: number): Promise<void> {
  await transaction(
    db,
    async tx => {
      const order = await row(tx, cancelSql, [accountId, orderId]);
      if (!order) throw new Refusal(455);
      await run(tx, settleSql, [accountId, order.first, order.last]);
    },
    statementLimits.large,
  );
}
