// Parts of inbound messages whose other parts never came go after three days, ids of those over HTTP after seven: no provider
// repeats a post for that long.
import { type Queryable, sql } from '../db/db.ts';
import { dayMs, type Left, type RetentionStep, removeOlder } from '../db/retention.ts';

const steps: RetentionStep[] = [
  {
    statement: sql('retention parts')`delete from inbound_parts where id = any (array(
      select x.id from (select id, received_at from inbound_parts order by id limit 1000) x where x.received_at < $1))`,
    olderMs: 3 * dayMs,
    piece: 1_000,
  },
  {
    statement: sql('retention seen')`delete from inbound_seen where (carrier_id, foreign_id) in (
      select carrier_id, foreign_id from inbound_seen where seen_at < $1 order by seen_at limit 1000)`,
    olderMs: 7 * dayMs,
    piece: 1_000,
  },
];

export function retainParts(db: Queryable): Promise<Left> {
  return removeOlder(db, steps);
}
