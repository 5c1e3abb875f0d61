// Chunks that were set aside because nobody could send them: what they are, and the way back once the cause is mended.
import { type Queryable, rows, sql } from '../db/db.ts';

export type Quarantined = { chunkId: number; orderId: number; accountId: number; messages: number; lost: number };

const listSql = sql<Quarantined>('quarantined list')`
  select id as "chunkId", order_id as "orderId", account_id as "accountId", count as messages, lost from chunks
  where quarantined order by id limit 1000`;

export function listQuarantined(db: Queryable): Promise<Quarantined[]> {
  return rows(db, listSql);
}

const releaseSql = sql<Quarantined>('quarantined release')`
  update chunks set quarantined = false, lost = 0 where order_id = $1 and quarantined
  returning id as "chunkId", order_id as "orderId", account_id as "accountId", count as messages, lost`;

/** A dispatcher takes them up within a second; what still cannot be sent is set aside again. */
export function releaseQuarantined(db: Queryable, orderId: number): Promise<Quarantined[]> {
  return rows(db, releaseSql, [orderId]);
}
