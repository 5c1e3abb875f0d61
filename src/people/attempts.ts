// Limits of attempts that hold for concurrent callers in all processes: an attempt is counted first, by one statement
// that also says whether it exceeded the limit, and is taken back if it turns out to be valid.

import { type Queryable, row, run, sql } from '../db/db.ts';
import { now } from '../time/clock.ts';

/** `windowMs`: at most `most` in that time. `pauseMaxMs`: after `most`, one after each pause, which doubles up to that. */
export type Limit = { name: string; most: number } & ({ windowMs: number } | { pauseMaxMs: number });

const firstPauseMs = 1_000;
const forgetMs = 3_600_000;

const windowSql = sql<{ count: number }>('attempt in window')`
  insert into attempts as a (name, count, first_at, last_at, until) values ($1, 1, $2, $2, $2)
  on conflict (name) do update set last_at = $2,
    count = case when a.first_at > $3 then a.count + 1 else 1 end,
    first_at = case when a.first_at > $3 then a.first_at else $2 end
  where a.count < $4 or a.first_at <= $3
  returning count`;
const pausedSql = sql<{ count: number }>('attempt with pauses')`
  insert into attempts as a (name, count, first_at, last_at, until) values ($1, 1, $2, $2, $2)
  on conflict (name) do update set last_at = $2,
    count = case when a.last_at > $3 then a.count + 1 else 1 end,
    first_at = case when a.last_at > $3 then a.first_at else $2 end,
    until = case when a.last_at > $3 and a.count + 1 >= $4
      then $2 + least($5::float8, $6::float8 * 2 ^ least(20, a.count + 1 - $4)) * interval '1 millisecond' else $2 end
  where a.until <= $2 or a.last_at <= $3
  returning count`;
const findSql = sql<{ firstAt: Date; until: Date }>('attempt find')`
  select first_at as "firstAt", until from attempts where name = $1`;
const takeBackSql = sql('attempt take back')`
  update attempts set count = count - 1, until = case when count <= $2 then last_at else until end
  where name = $1 and count > 0`;
const forgetSql = sql('attempt forget')`delete from attempts where name = $1`;

/**
 * Counts an attempt against each limit. If one is reached, none is counted, and the time to wait is returned; otherwise
 * 0.
 */
export async function countAttempt(db: Queryable, limits: Limit[]): Promise<number> {
  const time = now();
  const counted: Limit[] = [];
  for (const limit of limits) {
    if (await count(db, limit, time)) {
      counted.push(limit);
      continue;
    }
    await takeBack(db, counted);
    return pauseOf(db, limit, time);
  }
  return 0;
}

async function count(db: Queryable, limit: Limit, time: Date): Promise<boolean> {
  const { most } = limit;
  const name = nameOf(limit);
  const found =
    'windowMs' in limit
      ? await row(db, windowSql, [name, time, before(time, limit.windowMs), most])
      : await row(db, pausedSql, [name, time, before(time, forgetMs), most, limit.pauseMaxMs, firstPauseMs]);
  return found !== undefined;
}

async function pauseOf(db: Queryable, limit: Limit, time: Date): Promise<number> {
  const found = await row(db, findSql, [nameOf(limit)]);
  if (!found) return firstPauseMs;
  const end = 'windowMs' in limit ? found.firstAt.getTime() + limit.windowMs : found.until.getTime();
  return Math.max(firstPauseMs, end - time.getTime());
}

/** Takes the attempt back. A pause that it began ends only if the attempt was within the limit. */
export async function takeBack(db: Queryable, limits: Limit[]): Promise<void> {
  for (const limit of limits) await run(db, takeBackSql, [nameOf(limit), limit.most]);
}

export async function forget(db: Queryable, limit: { name: string }): Promise<void> {
  await run(db, forgetSql, [nameOf(limit)]);
}

function nameOf({ name }: { name: string }): string {
  return name.slice(0, 300);
}

function before(time: Date, ms: number): Date {
  return new Date(time.getTime() - ms);
}
