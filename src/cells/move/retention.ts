// Rows that an account left behind stay as long as carriers may report on what was sent from there, then they go.
import { type Db, rows, run, sql } from '../../db/db.ts';
import { removeAccount } from './remove.ts';

/** So long carriers report on what they took. */
const lateHours = 72;

const leftSql = sql<{ accountId: number }>('left accounts')`
  select account_id as "accountId" from account_fences
  where why = 'left' and removed_at is null and since < now() - $1 * interval '1 hour' order by since limit 10`;
const removedSql = sql('left account removed')`
  update account_fences set removed_at = now() where account_id = $1 and why = 'left'`;

/** Returns of how many accounts nothing is left here. */
export async function removeLeft(db: Db, hours = lateHours): Promise<number> {
  let removed = 0;
  for (const { accountId } of await rows(db, leftSql, [hours]))
    if (await removeAccount(db, accountId, 'left')) removed += await run(db, removedSql, [accountId]);
  return removed;
}
