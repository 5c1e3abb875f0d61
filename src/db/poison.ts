// Handles batches that the database refuses. After a temporary error (a lost connection, a deadlock, a full disk, a restart) the batch is
// retried unchanged, as often as needed. After a permanent error it is halved until the bad item is found; that item is set aside for staff
// (table refused_items), counted and logged once, and the rest is stored.
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { setAsideTotal } from '../metrics/metrics.ts';
import { Unreadable } from '../sealing/content.ts';
import { backoffMs } from '../time/backoff.ts';
import { CommitUnknown, type Queryable, run, sql, sqlState } from './db.ts';

// Classes of SQLSTATE that are caused by the data: cardinality, data exception, constraint, program limit, raised by a function. Any other
// error is temporary, or a bug, which is no reason to set data aside.
const dataClasses = new Set(['21', '22', '23', '54', 'P0']);

/** Whether a retry can only fail again. */
export function isPoison(error: unknown): boolean {
  if (error instanceof CommitUnknown) return false;
  if (error instanceof TypeError || error instanceof RangeError || error instanceof Unreadable) return true;
  return dataClasses.has(sqlState(error).slice(0, 2));
}

type Halving<Batch, Stored> = {
  /** Kind of the batch, for log and staff. */
  what: string;
  store(batch: Batch): Promise<Stored>;
  /** Splits the batch in two, in the order of storing; null: a single item. */
  halve(batch: Batch): [Batch, Batch] | null;
  /** Sets a single item aside. */
  giveUp(item: Batch, error: Error): Promise<void>;
};

/** Stores a batch without its bad items. Returns the result of `store` for each piece. */
export async function storeOrHalve<Batch, Stored>(
  log: Log,
  batch: Batch,
  halving: Halving<Batch, Stored>,
): Promise<Stored[]> {
  for (let failures = 0; ; failures++) {
    try {
      return [await halving.store(batch)];
    } catch (error) {
      if (isPoison(error)) return storeHalves(log, batch, halving, error as Error);
      log.warn({ what: halving.what, error: (error as Error).message, failures }, 'batch not stored yet');
      await pause(backoffMs(failures, 50, 2_000));
    }
  }
}

async function storeHalves<Batch, Stored>(
  log: Log,
  batch: Batch,
  halving: Halving<Batch, Stored>,
  error: Error,
): Promise<Stored[]> {
  const halves = halving.halve(batch);
  if (halves) {
    const first = await storeOrHalve(log, halves[0], halving);
    return [...first, ...(await storeOrHalve(log, halves[1], halving))];
  }
  const { giveUp, what } = halving;
  await storeOrHalve(log, batch, {
    what: `${what} set aside`,
    store: one => giveUp(one, error),
    halve: () => null,
    giveUp: nothing,
  });
  setAsideTotal.inc();
  log.error({ what, error: error.message }, 'item set aside: the database refuses it');
  return [];
}

async function nothing(): Promise<void> {}

const setAsideSql = sql('set aside')`insert into refused_items (what, item, error) values ($1, $2, $3)`;

/** Stored as JSON, which escapes characters that a text column refuses, such as U+0000. */
export async function setAside(db: Queryable, what: string, item: unknown, error: Error): Promise<void> {
  await run(db, setAsideSql, [what, JSON.stringify(item).slice(0, 10_000), error.message.slice(0, 1_000)]);
}
