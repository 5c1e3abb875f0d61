// What meets in the tables, every two seconds: receipts that a process left behind, receipts and submits that were stored at the same moment,
// and messages in doubt whose time has come.
import { type Db, type Queryable, row, sql } from '../db/db.ts';
import type { Log } from '../log.ts';
import { resentTotal } from '../metrics/metrics.ts';
import { settleLeftReceipts } from './inbox-rows.ts';

const meetSql = sql<{ met: number; older: number | null }>('receipts meet')`
  select met, older from match_kept_receipts($1, $2)`;
const most = 5_000;

/** How far the kept receipts have been looked through: those below this id are next; null = from the newest. */
export type Walk = { below: number | null };

/**
 * Settles receipts whose answer was stored by another process at the same moment; returns how many. Looked at are the newest, and as many
 * older ones, from round to round further back: there may be many that fit nothing, more than one round should look at.
 */
export async function meet(db: Queryable, walk: Walk = { below: null }): Promise<number> {
  const newest = (await row(db, meetSql, [most, null]))!;
  walk.below = newest.older === null ? null : (walk.below ?? newest.older);
  if (walk.below === null) return newest.met;
  const next = (await row(db, meetSql, [most, walk.below]))!;
  walk.below = next.older;
  return newest.met + next.met;
}

const decideSql = sql<Decided>('unsure decide')`
  select decided, resent, adopted, ended from decide_unsure($1, make_interval(secs => $2))`;
const decidedAtOnce = 500;
/** A one-time code older than this helps nobody; a second copy of it even less. */
const usefulSeconds = 60;

export type Decided = { decided: number; resent: number; adopted: number; ended: number };

/** Messages whose answer was lost and whose pause is over: told by a receipt, sent once more, or ended as outcome unknown. */
export async function decideUnsure(db: Queryable, holdMs: number, log: Log): Promise<Decided> {
  const decided = (await row(db, decideSql, [decidedAtOnce, usefulSeconds + holdMs / 1_000]))!;
  resentTotal.inc(decided.resent);
  if (decided.decided + decided.adopted > 0) log.warn(decided, 'unanswered submits resolved');
  return decided;
}

/** 0 when something met: there may be more. */
export async function meetReceipts(db: Db, holdMs: number, log: Log, walk?: Walk): Promise<number | undefined> {
  const met = (await settleLeftReceipts(db, log)) + (await meet(db, walk));
  const { decided, adopted } = await decideUnsure(db, holdMs, log);
  return met + decided + adopted > 0 ? 0 : undefined;
}
