// Publishes the state of our links once a second, for staff.
import { type Db, rows, run, sql } from '../../db/db.ts';
import { linksBound, windowSize, windowUsed } from '../../metrics/metrics.ts';
import type { Link } from './link.ts';

const publishSql = sql('links publish')`
  insert into carrier_links (carrier_id, slot, dispatcher_id, state, since, last_error, window_used, pace, submitted, throttled, refused, receipts,
    counting_since, at)
  select carrier_id, slot, dispatcher_id, state, since, last_error, window_used, pace, submitted, throttled, refused, receipts,
    counting_since, now() from json_populate_recordset(null::carrier_links, $1)
  on conflict (carrier_id, slot, dispatcher_id) do update set state = excluded.state, since = excluded.since,
    last_error = excluded.last_error, window_used = excluded.window_used, pace = excluded.pace, submitted = excluded.submitted,
    throttled = excluded.throttled, refused = excluded.refused, receipts = excluded.receipts,
    counting_since = excluded.counting_since, at = now()`;
const sweepSql = sql('links sweep')`
  delete from carrier_links where at < now() - interval '1 minute' or (dispatcher_id = $1
    and (carrier_id, slot) not in (select * from unnest($2::integer[], $3::smallint[])))`;
// Counts live dispatchers that wait for a bind. One that cannot reach the carrier would not use a bind.
const fewestSql = sql<{ carrier_id: number; binds: number }>('links fewest')`
  select carrier_id, min(binds)::integer as binds from (
    select l.carrier_id, count(*) filter (where l.state = 'bound') as binds from carrier_links l
    where l.dispatcher_id in (select id from dispatchers)
    group by l.carrier_id, l.dispatcher_id having bool_and(l.state in ('bound', 'waiting for slot'))) x
  group by carrier_id`;

const errorCharactersMax = 200;

function count<T>(links: Link<T>[]): void {
  for (const gauge of [linksBound, windowUsed, windowSize]) gauge.reset();
  for (const link of links) {
    const carrier = { carrier: link.carrier.name };
    linksBound.inc(carrier, link.bound ? 1 : 0);
    windowUsed.inc(carrier, link.windowUsed);
    windowSize.inc(carrier, link.bound ? link.carrier.windowSize : 0);
  }
}

export async function publishLinks<T>(db: Db, dispatcher: number, links: Link<T>[]): Promise<void> {
  count(links);
  const lines = links.map(one => ({
    carrier_id: one.carrier.id,
    slot: one.slot,
    dispatcher_id: dispatcher,
    state: one.state,
    since: one.since,
    last_error: one.lastError?.slice(0, errorCharactersMax),
    window_used: one.windowUsed,
    // JSON has no infinity: no limit is null.
    pace: Math.round(one.pace.limit),
    counting_since: one.countingSince,
    ...one.counts,
  }));
  await run(db, publishSql, [JSON.stringify(lines)]);
  await run(db, sweepSql, [dispatcher, lines.map(one => one.carrier_id), lines.map(one => one.slot)]);
}

/** The binds of the dispatcher with the fewest, by carrier, as last published. */
export async function fewestBinds(db: Db): Promise<Map<number, number>> {
  return new Map((await rows(db, fewestSql)).map(one => [one.carrier_id, one.binds]));
}
