// Removes messages from phones: routed and unrouted ones after the operator's setting, incomplete parts after three days, ids
// of HTTP messages after seven, because no provider repeats a post for that long.
import { sql } from '../db/db.ts';
import { dayMs, type RetentionStep } from '../db/retention.ts';

export const messagesEnd: RetentionStep = {
  statement: sql('retention inbound')`delete from inbound_messages where (account_id, id) in (
    select m.account_id, m.id from inbound_messages m where m.received_at < $1 limit 1000)`,
  olderMs: 'inbound',
};

export const unroutedEnd: RetentionStep = {
  statement: sql('retention unrouted')`delete from inbound_unrouted where id = any (array(
    select x.id from (select id, received_at from inbound_unrouted order by id limit 1000) x where x.received_at < $1))`,
  olderMs: 'inbound',
};

export const partsEnd: RetentionStep = {
  statement: sql('retention parts')`delete from inbound_parts where id = any (array(
    select x.id from (select id, received_at from inbound_parts order by id limit 1000) x where x.received_at < $1))`,
  olderMs: 3 * dayMs,
};

export const seenEnd: RetentionStep = {
  statement: sql('retention seen')`delete from inbound_seen where (carrier_id, foreign_id) in (
    select carrier_id, foreign_id from inbound_seen where seen_at < $1 order by seen_at limit 1000)`,
  olderMs: 7 * dayMs,
};
