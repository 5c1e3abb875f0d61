// Bans guessing of passwords: five wrong ones from an address within five minutes ban that address for that user, and twenty from
// all addresses together ban the user's binds, for five minutes. Other users of a banned address are not affected. Only attempts
// from the user's own address list count. Attempts are counted over all nodes and judged one after another for each user, so that
// many attempts at once are not judged before the ban begins.

import { type Db, rows, run, sql, type Tx, transaction } from '../db/db.ts';
import { keepNewest } from '../limits.ts';
import { Turns } from '../loops/turns.ts';
import { monotonicMs } from '../time/clock.ts';

const failuresMax = { ofAddress: 5, ofUser: 20 };
const banMs = 5 * 60_000;
const rememberedMax = 50_000;
const sweptMax = 5_000;

export type Verdict = { banned: true } | { banned: false; isRight: boolean; began: boolean };

// Held until the end of the transaction, so that the attempts of a user are judged one after another on all nodes.
const lockSql = sql('smpp ban lock')`
  select pg_advisory_xact_lock(hashtextextended('smpp login ' || $1::text, 0) # lock_salt())`;
const findSql = sql<{ leftMs: number }>('smpp ban find')`
  select max(extract(epoch from banned_until - clock_timestamp())::float8 * 1000) as "leftMs" from smpp_bans
  where system_id = $1 and address in ($2, '') and banned_until > clock_timestamp() having count(*) > 0`;
// Failures before a ban, or older than five minutes, do not count.
const failedSql = sql<{ began: boolean }>('smpp ban failed')`
  insert into smpp_bans as b (system_id, address, failures, since)
  select $1, x.address, 1, now() from (values ($2), ('')) x(address) order by x.address
  on conflict (system_id, address) do update set (failures, since, banned_until) = (
    select x.failures, case when x.failures = 1 then now() else b.since end,
      case when x.failures >= case b.address when '' then $4::int else $3::int end then now() + $5 * interval '1 millisecond' end
    from (select case when b.since > now() - $5 * interval '1 millisecond' and coalesce(b.banned_until > now(), true)
      then b.failures + 1 else 1 end) x(failures))
  returning coalesce(banned_until > now(), false) as began`;
const sweepSql = sql('smpp bans sweep')`
  delete from smpp_bans where (system_id, address) in (select system_id, address from smpp_bans
    where since < now() - 2 * $1 * interval '1 millisecond' and coalesce(banned_until < now(), true) order by since limit $2)`;

export function bansOf(db: Db) {
  /** Ends of known bans by system_id and address, by the monotonic clock; oldest first. */
  const known = new Map<string, number>();
  /** Attempts of each user, so that waiting ones hold no database connection. */
  const lines = new Map<string, Turns>();

  /** Whether this process knows of a ban, without asking the database. */
  function isKnown(systemId: string, address: string): boolean {
    return (known.get(`${systemId} ${address}`) ?? 0) > monotonicMs();
  }

  /** Judges an attempt unless there is a ban. */
  async function judge(systemId: string, address: string, isRight: boolean): Promise<Verdict> {
    const turns = lines.get(systemId) ?? new Turns();
    lines.set(systemId, turns);
    try {
      return await turns.run(() => judgeNow(systemId, address, isRight));
    } finally {
      if (turns.waiting === 0) lines.delete(systemId);
    }
  }

  async function judgeNow(systemId: string, address: string, isRight: boolean): Promise<Verdict> {
    if (isKnown(systemId, address)) return { banned: true };
    const judged = await transaction(db, tx => judgeIn(tx, systemId, address, isRight));
    const leftMs = judged.banned ? judged.leftMs : judged.began ? banMs : 0;
    if (leftMs > 0) keepNewest(known, `${systemId} ${address}`, monotonicMs() + leftMs, rememberedMax);
    return judged;
  }

  return { isKnown, judge };
}

type Judged = { banned: true; leftMs: number } | Extract<Verdict, { banned: false }>;

async function judgeIn(tx: Tx, systemId: string, address: string, isRight: boolean): Promise<Judged> {
  await run(tx, lockSql, [systemId]);
  const [found] = await rows(tx, findSql, [systemId, address]);
  if (found) return { banned: true, leftMs: found.leftMs };
  if (isRight) return { banned: false, isRight, began: false };
  const counted = await rows(tx, failedSql, [systemId, address, failuresMax.ofAddress, failuresMax.ofUser, banMs]);
  return { banned: false, isRight, began: counted.some(one => one.began) };
}

export async function sweepBans(db: Db): Promise<void> {
  await run(db, sweepSql, [banMs, sweptMax]);
}
