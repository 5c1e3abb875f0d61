// Resolves, every two seconds, what was left open: receipts of dead processes, unmatched receipts whose submit was stored at the
// same moment, and messages in doubt that are due.
import { type Db, type Queryable, row, sql } from '../db/db.ts';
import type { Log } from '../log.ts';
import { resentTotal } from '../metrics/metrics.ts';
import { settleLeftReceipts } from './inbox-rows.ts';

const matchSql = sql<{ matched: number; older: number | null }>('receipts match unmatched')`
  select met as matched, older from match_kept_receipts($1, $2)`;
const most = 5_000;

/** Position of the walk over unmatched receipts: ids below this one are next; null = from the newest. */
export type Walk = { below: number | null };

/**
 * Settles receipts whose submit was stored by another process at the same moment; returns how many. Each round reads the newest
 * unmatched receipts and as many older ones, further back from round to round: there may be too many for one round.
 */
export async function matchUnmatchedReceipts(db: Queryable, walk: Walk = { below: null }): Promise<number> {
  const newest = (await row(db, matchSql, [most, null]))!;
  walk.below = newest.older === null ? null : (walk.below ?? newest.older);
  if (walk.below === null) return newest.matched;
  const next = (await row(db, matchSql, [most, walk.below]))!;
  walk.below = next.older;
  return newest.matched + next.matched;
}

const decideSql = sql<Decided>('unsure decide')`
  select decided, resent, adopted, ended from decide_unsure($1, make_interval(secs => $2))`;
const decidedAtOnce = 500;
/** A one-time code older than this is useless, so it is not sent once more. */
const usefulSeconds = 60;

export type Decided = { decided: number; resent: number; adopted: number; ended: number };

/** Messages whose answer was lost and whose pause is over: ended by a receipt, sent once more, or ended as outcome unknown. */
export async function decideUnsure(db: Queryable, holdMs: number, log: Log): Promise<Decided> {
  const decided = (await row(db, decideSql, [decidedAtOnce, usefulSeconds + holdMs / 1_000]))!;
  resentTotal.inc(decided.resent);
  if (decided.decided + decided.adopted > 0) log.warn(decided, 'unanswered submits resolved');
  return decided;
}

/** Returns 0 when something was resolved: there may be more. */
export async function resolveReceipts(db: Db, holdMs: number, log: Log, walk?: Walk): Promise<number | undefined> {
  const matched = (await settleLeftReceipts(db, log)) + (await matchUnmatchedReceipts(db, walk));
  const { decided, adopted } = await decideUnsure(db, holdMs, log);
  return matched + decided + adopted > 0 ? 0 : undefined;
}
