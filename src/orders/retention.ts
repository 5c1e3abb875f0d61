// Removes finished orders after the retention period (their ledger entries stay) and old idempotency keys, in small steps that
// hold no lock for long.
import { type Queryable, row, sql } from '../db/db.ts';
import { before, dayMs, inPieces, type Left, type RetentionStep, removeOlder } from '../db/retention.ts';

const removeSql = sql<{ removed: number }>('retention orders')`select remove_orders($1, 1000, $2) as removed`;
const keysEnd: RetentionStep = {
  statement: sql('retention keys')`delete from idempotency_keys where ctid = any (array(
    select k.ctid from idempotency_keys k where k.created_at < $1 order by k.created_at limit 1000))`,
  olderMs: dayMs,
};

/** Kept as long as idempotency keys, by which an order finds its secret. */
export const secretsEnd: RetentionStep = {
  statement: sql('retention secrets')`delete from order_secrets where (account_id, key) in (
    select s.account_id, s.key from order_secrets s where s.created_at < $1 order by s.created_at limit 1000)`,
  olderMs: dayMs,
};

/** `lastsMs`: an order is closed after this time at the latest. */
export async function orderRetention(db: Queryable, retentionDays: number, lastsMs: number): Promise<Left> {
  const left = await removeOlder(db, [keysEnd]);
  const given = [before(retentionDays * dayMs), `${lastsMs} ms`];
  // Counts removed messages of removed orders, or removed orders; any of them is worth another round.
  return (await inPieces(1, async () => (await row(db, removeSql, given))!.removed)) ?? left;
}
