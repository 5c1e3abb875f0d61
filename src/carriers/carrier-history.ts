// Adds the counts of links to the metrics, and every five seconds to the history of each carrier: one row per carrier and minute.
// Dispatchers add to the same rows in the order of the key, so that they cannot deadlock.

import { type Db, run, sql } from '../db/db.ts';
import { carrierTotals } from '../metrics/metrics.ts';
import { monotonicMs } from '../time/clock.ts';

const writeMs = 5_000;
const writesPerSweep = 720;
// Counting 50,000 pending receipts takes about 0.1 s of the database, so it is done once a minute.
const pendingEveryMs = 60_000;
const pendingMax = 50_000;
const keptDays = 7;

const writeSql = sql('carrier minutes write')`
  insert into carrier_minutes as m (carrier_id, minute, submitted, throttled, refused, receipts, undelivered, lag_ms,
    lag_count, unanswered, waiting, owed)
  select g.*, (select coalesce(sum(c.count), 0) from chunks c
      where c.lease_owner is null and c.lost < 2 and c.due_at <= now()),
    -- Messages that it accepted within a day and did not report.
    case when $10::boolean then least($11::integer, greatest(0, (select sum(x.submitted - x.receipts) from carrier_minutes x
      where x.carrier_id = g.carrier and x.minute > now() - interval '1 day'))) else 0 end
  from (select carrier, date_trunc('minute', now()), submitted, throttled, refused, receipts, undelivered, lag, lags, unanswered
    from unnest($1::integer[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[],
      $9::bigint[]) u (carrier, submitted, throttled, refused, receipts, undelivered, lag, lags, unanswered)) g
  order by 1
  on conflict (carrier_id, minute) do update set submitted = m.submitted + excluded.submitted,
    throttled = m.throttled + excluded.throttled, refused = m.refused + excluded.refused,
    receipts = m.receipts + excluded.receipts, undelivered = m.undelivered + excluded.undelivered,
    lag_ms = m.lag_ms + excluded.lag_ms, lag_count = m.lag_count + excluded.lag_count,
    unanswered = greatest(m.unanswered, excluded.unanswered), waiting = greatest(m.waiting, excluded.waiting),
    owed = greatest(m.owed, excluded.owed)`;
const sweepSql = sql('carrier minutes sweep')`
  delete from carrier_minutes where minute < now() - make_interval(days => $1)`;

/** Counts of a link since it began. `lags`: receipts whose time since the answer is known; `lagMs`: the sum of those times. */
export const nothingCounted = {
  submitted: 0,
  throttled: 0,
  refused: 0,
  receipts: 0,
  undelivered: 0,
  lagMs: 0,
  lags: 0,
};
export type LinkCounts = typeof nothingCounted;
type CountedLink = { carrier: { id: number; name: string }; counts: LinkCounts; windowUsed: number };
// In the order of the columns of writeSql.
const countNames = Object.keys(nothingCounted) as (keyof LinkCounts)[];
const totalNames = Object.keys(carrierTotals) as (keyof typeof carrierTotals)[];

/**
 * Returns a function to be called each second: it adds to the metrics, and writes every five seconds, or at once with
 * `force`.
 */
export function carrierHistory(db: Db) {
  /** Counts of each link that are included in the sums; a link that is gone is counted once more, then forgotten. */
  const counted = new Map<CountedLink, LinkCounts>();
  /** By carrier: what is not stored yet. */
  const sums = new Map<number, LinkCounts>();
  let due = 0;
  let pendingDue = 0;
  let writes = 0;

  /** Adds what a link has counted since it was last counted. */
  function count(link: CountedLink): void {
    const { id, name: carrier } = link.carrier;
    const before = counted.get(link) ?? nothingCounted;
    const sum = sums.get(id) ?? { ...nothingCounted };
    for (const name of countNames) sum[name] += link.counts[name] - before[name];
    for (const name of totalNames) carrierTotals[name].inc({ carrier }, link.counts[name] - before[name]);
    sums.set(id, sum);
    counted.set(link, { ...link.counts });
  }

  return async (links: CountedLink[], force = false): Promise<void> => {
    for (const link of new Set([...links, ...counted.keys()])) count(link);
    if (sums.size === 0 || (!force && monotonicMs() < due)) return;
    due = monotonicMs() + writeMs;
    for (const link of counted.keys()) if (!links.includes(link)) counted.delete(link);
    const countsPending = force || monotonicMs() >= pendingDue;
    const carriers = [...sums.keys()];
    const column = (name: keyof LinkCounts) => carriers.map(id => sums.get(id)![name]);
    const unanswered = carriers.map(id =>
      links.filter(link => link.carrier.id === id).reduce((sum, link) => sum + link.windowUsed, 0),
    );
    await run(db, writeSql, [carriers, ...countNames.map(column), unanswered, countsPending, pendingMax]);
    if (countsPending) pendingDue = monotonicMs() + pendingEveryMs;
    // Only after the write succeeded: counts that could not be stored are written in the next round.
    sums.clear();
    if (writes++ % writesPerSweep === 0) await run(db, sweepSql, [keptDays]);
  };
}
