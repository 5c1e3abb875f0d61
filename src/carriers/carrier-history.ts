// The history of each carrier by the minute: every five seconds the counts of the links are added to one row per carrier and
// minute. Dispatchers add to the same rows in the order of the key, so that they cannot deadlock.

import { type Db, run, sql } from '../db/db.ts';
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
    -- Messages that it took within a day and did not report.
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
type CountedLink = { carrier: { id: number }; counts: LinkCounts; windowUsed: number };
type Sums = LinkCounts & { unanswered: number };
// In the order of the columns of writeSql.
const countNames = Object.keys(nothingCounted) as (keyof LinkCounts)[];

export class CarrierHistory {
  readonly #db: Db;
  /** Counts of each link that are already stored; a link that is gone is counted once more, then forgotten. */
  #counted = new Map<CountedLink, LinkCounts>();
  #due = 0;
  #pendingDue = 0;
  #writes = 0;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Called each second; writes every five seconds, or at once with `force`. */
  async note(links: CountedLink[], force = false): Promise<void> {
    if (!force && monotonicMs() < this.#due) return;
    this.#due = monotonicMs() + writeMs;
    const sums = this.#grown(links);
    if (sums.size === 0) return;
    const carriers = [...sums.keys()];
    const column = (name: keyof Sums) => carriers.map(id => sums.get(id)![name]);
    const counted = new Map(links.map(link => [link, { ...link.counts }]));
    const countsPending = force || monotonicMs() >= this.#pendingDue;
    await run(this.#db, writeSql, [
      carriers,
      ...countNames.map(column),
      column('unanswered'),
      countsPending,
      pendingMax,
    ]);
    if (countsPending) this.#pendingDue = monotonicMs() + pendingEveryMs;
    // Only after the write succeeded: counts that could not be stored are written in the next round.
    this.#counted = counted;
    if (this.#writes++ % writesPerSweep === 0) await run(this.#db, sweepSql, [keptDays]);
  }

  #grown(links: CountedLink[]): Map<number, Sums> {
    const sums = new Map<number, Sums>();
    for (const link of new Set([...links, ...this.#counted.keys()])) {
      const before = this.#counted.get(link) ?? nothingCounted;
      const sum = sums.get(link.carrier.id) ?? { ...nothingCounted, unanswered: 0 };
      for (const name of countNames) sum[name] += link.counts[name] - before[name];
      sum.unanswered += link.windowUsed;
      sums.set(link.carrier.id, sum);
    }
    return sums;
  }
}
