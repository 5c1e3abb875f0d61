// Lists quarantined chunks, which no dispatcher could send, and releases them once the cause is fixed.
import { rowsOf } from '../db/db.ts';

export type Quarantined = { chunkId: number; orderId: number; accountId: number; messages: number; lost: number };

export const listQuarantined = rowsOf<Quarantined>('quarantined list')`
  select c.id as "chunkId", m.order_id as "orderId", c.account_id as "accountId", count(*) as messages, c.lost
  from chunks c cross join lateral chunk_messages(c) q cross join lateral unnest(q.ids, q.orders) m(message_id, order_id) where c.lost >= 2
  group by c.id, m.order_id, c.account_id, c.lost order by c.id, m.order_id limit 1000`;

/** A dispatcher leases them within a second; what still cannot be sent is quarantined again. */
export const releaseQuarantined = rowsOf<Quarantined, [orderId: number]>('quarantined release')`
  update chunks c set lost = 0 where c.lost >= 2 and $1 = any ((select q.orders from chunk_messages(c) q)::bigint[])
  returning c.id as "chunkId", $1::bigint as "orderId", c.account_id as "accountId", c.count as messages, c.lost`;
