// The database's clock is everybody's (src/time/clock.ts). Each process asks it once before it begins and once a second from
// then on; what the host's own clock says is only compared, so that people can be told when the two differ.

import { limits } from '../limits.ts';
import type { Log } from '../log.ts';
import { type Loop, startLoop } from '../loops/loop.ts';
import { followDatabase, hostMs, monotonicMs } from '../time/clock.ts';
import { type Queryable, row, sql } from './db.ts';

/** `aheadMs`: how far the host's clock is ahead of the database's (negative: behind), known to ± `uncertainMs`. */
type ClockDifference = { aheadMs: number; uncertainMs: number };

const askEveryMs = 1_000;

const clockSql = sql<{ ms: number }>('database clock')`
  select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`;

/** Asks the database for the time, follows it, and says how the host's clock differs. */
export async function readDatabaseClock(db: Queryable): Promise<ClockDifference> {
  const host = hostMs();
  const asked = monotonicMs();
  const { ms } = (await row(db, clockSql))!;
  const answered = monotonicMs();
  followDatabase(ms, asked, answered);
  const uncertainMs = (answered - asked) / 2;
  return { aheadMs: Math.round(host + uncertainMs - ms), uncertainMs: Math.ceil(uncertainMs) };
}

/** Whether people should be told: beyond what a slow answer can explain. */
export function clocksDiffer({ aheadMs, uncertainMs }: ClockDifference): boolean {
  return Math.abs(aheadMs) - uncertainMs > limits.clockDifferenceMaxMs;
}

/** From the first answer on "now" is the database's time, for as long as this runs and after. */
export async function followDatabaseClock(db: Queryable, log: Log): Promise<Loop> {
  let told = false;
  const ask = async () => {
    const difference = await readDatabaseClock(db);
    const differ = clocksDiffer(difference);
    if (differ && !told)
      log.warn(difference, 'the clock of this host differs from the database’s, which is the one that counts');
    told = differ;
    return askEveryMs;
  };
  await ask();
  return startLoop('database clock', log, ask);
}
