// All processes use the clock of the database (src/time/clock.ts): each reads it at its start and every five seconds. The host's clock is only
// compared, so that a difference can be logged.

import { limits } from '../limits.ts';
import type { Log } from '../log.ts';
import { type Loop, startLoop } from '../loops/loop.ts';
import { followDatabase, hostMs, monotonicMs } from '../time/clock.ts';
import { type Queryable, row, sql } from './db.ts';

/** `aheadMs`: how far the host's clock is ahead of the database's (negative: behind), known to ± `uncertainMs`. */
type ClockDifference = { aheadMs: number; uncertainMs: number };

const askEveryMs = 5_000;

const clockSql = sql<{ ms: number }>('database clock')`
  select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`;

/** Reads the database's time, follows it, and returns how the host's clock differs. */
export async function readDatabaseClock(db: Queryable): Promise<ClockDifference> {
  const host = hostMs();
  const asked = monotonicMs();
  const { ms } = (await row(db, clockSql))!;
  const answered = monotonicMs();
  followDatabase(ms, asked, answered);
  const uncertainMs = (answered - asked) / 2;
  return { aheadMs: Math.round(host + uncertainMs - ms), uncertainMs: Math.ceil(uncertainMs) };
}

/** Whether the difference is larger than a slow answer explains. */
export function clocksDiffer({ aheadMs, uncertainMs }: ClockDifference): boolean {
  return Math.abs(aheadMs) - uncertainMs > limits.clockDifferenceMaxMs;
}

/** From the first answer on, "now" is the database's time, also after the loop has stopped. */
export async function followDatabaseClock(db: Queryable, log: Log): Promise<Loop> {
  let warned = false;
  const ask = async () => {
    const difference = await readDatabaseClock(db);
    const differ = clocksDiffer(difference);
    if (differ && !warned)
      log.warn(difference, 'the clock of this host differs from the database’s, which is the one that counts');
    warned = differ;
    return askEveryMs;
  };
  await ask();
  return startLoop('database clock', log, ask);
}
