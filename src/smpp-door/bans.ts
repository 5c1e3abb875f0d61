// Addresses that tried five bad logins are let alone for five minutes: whatever they say then is not even looked at. Counted for all
// nodes together; an address that is not on the list of the user it names counts as a bad login as well. What a node knows to be
// banned it refuses by itself, so that who goes on trying costs the database nothing.
import { monotonicMs } from '../clock.ts';
import { type Db, row, run, sql } from '../db/db.ts';

const failuresMax = 5;
const banMs = 5 * 60_000;
const rememberedMax = 50_000;
const sweptMax = 5_000;

type Found = { leftMs: number };

const findSql = sql<Found>('smpp ban find')`
  select extract(epoch from banned_until - now())::float8 * 1000 as "leftMs" from smpp_bans where address = $1 and banned_until > now()`;
// What came before a ban, or before the last five minutes, counts no more.
const failedSql = sql<{ failures: number }>('smpp ban failed')`
  insert into smpp_bans as b (address, failures, since) values ($1, 1, now())
  on conflict (address) do update set (failures, since, banned_until) = (
    select x.failures, case when x.failures = 1 then now() else b.since end,
      case when x.failures >= $2 then now() + $3 * interval '1 millisecond' end
    from (select case when b.since > now() - $3 * interval '1 millisecond' and coalesce(b.banned_until > now(), true)
      then b.failures + 1 else 1 end) x(failures))
  returning failures`;
const succeededSql = sql('smpp ban succeeded')`delete from smpp_bans where address = $1`;
const sweepSql = sql('smpp bans sweep')`
  delete from smpp_bans where address in (select address from smpp_bans
    where since < now() - 2 * $1 * interval '1 millisecond' and coalesce(banned_until < now(), true) order by since limit $2)`;
export class Bans {
  readonly #db: Db;
  /** Until when, by our monotonic clock; oldest first. */
  readonly #known = new Map<string, number>();

  constructor(db: Db) {
    this.#db = db;
  }

  async isBanned(address: string): Promise<boolean> {
    if ((this.#known.get(address) ?? 0) > monotonicMs()) return true;
    const found = await row(this.#db, findSql, [address]);
    if (found) this.#remember(address, found.leftMs);
    return found !== undefined;
  }

  /** Returns whether this one began a ban. */
  async failed(address: string): Promise<boolean> {
    const { failures } = (await row(this.#db, failedSql, [address, failuresMax, banMs]))!;
    if (failures >= failuresMax) this.#remember(address, banMs);
    return failures === failuresMax;
  }

  async succeeded(address: string): Promise<void> {
    await run(this.#db, succeededSql, [address]);
  }

  #remember(address: string, ms: number): void {
    this.#known.delete(address);
    this.#known.set(address, monotonicMs() + ms);
    if (this.#known.size > rememberedMax) this.#known.delete(this.#known.keys().next().value!);
  }
}

export async function sweepBans(db: Db): Promise<void> {
  await run(db, sweepSql, [banMs, sweptMax]);
}
