// Publishes the state of our links once a second, for staff.
import { type Db, rows, run, sql } from '../../db/db.ts';
import { linksBound, windowSize, windowUsed } from '../../metrics/metrics.ts';
import type { Link } from './link.ts';

const publishSql = sql('links publish')`
  insert into carrier_links (carrier_id, slot, dispatcher_id, state, since, last_error, window_used, pace, submitted, throttled, refused, receipts,
    counting_since, at)
  select *, now() from unnest($1::integer[], $2::smallint[], $3::bigint[], $4::text[], $5::timestamptz[], $6::text[], $7::integer[],
    $8::integer[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::timestamptz[])
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
  const column = <V>(pick: (link: Link<T>) => V) => links.map(pick);
  await run(db, publishSql, [
    column(one => one.carrier.id),
    column(one => one.slot),
    column(() => dispatcher),
    column(one => one.state),
    column(one => one.since.toISOString()),
    column(one => one.lastError?.slice(0, errorCharactersMax) ?? null),
    column(one => one.windowUsed),
    column(one => (one.pace.limit === Number.POSITIVE_INFINITY ? null : Math.round(one.pace.limit))),
    column(one => one.counts.submitted),
    column(one => one.counts.throttled),
    column(one => one.counts.refused),
    column(one => one.counts.receipts),
    column(one => one.countingSince.toISOString()),
  ]);
  await run(db, sweepSql, [dispatcher, column(one => one.carrier.id), column(one => one.slot)]);
}

/** The binds of the dispatcher with the fewest, by carrier, as last published. */
export async function fewestBinds(db: Db): Promise<Map<number, number>> {
  return new Map((await rows(db, fewestSql)).map(one => [one.carrier_id, one.binds]));
}
