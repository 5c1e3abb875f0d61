// One rule for batches that the database refuses. What passes (a lost connection, a deadlock, a full disk, a server that restarts) is tried
// again unchanged, for as long as it takes. What would be refused again is halved until the item is found that nobody can store; it is set aside
// for staff (table refused_items), counted, and logged once, and everything else goes its way.
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { setAsideTotal } from '../metrics/metrics.ts';
import { Unreadable } from '../sealing/content.ts';
import { backoffMs } from '../time/backoff.ts';
import { CommitUnknown, type Queryable, run, sql, sqlState } from './db.ts';

// Classes of SQLSTATE by which the server blames the data: cardinality, data exception, constraint, program limit, raised by a function. Everything
// else passes, or is a mistake in the program or the server, which is no reason to set anybody's data aside.
const dataClasses = new Set(['21', '22', '23', '54', 'P0']);

/** Whether trying again can only fail again. */
export function isPoison(error: unknown): boolean {
  if (error instanceof CommitUnknown) return false;
  if (error instanceof TypeError || error instanceof RangeError || error instanceof Unreadable) return true;
  return dataClasses.has(sqlState(error).slice(0, 2));
}

type Halving<Batch, Stored> = {
  /** What the batch is, for log and staff. */
  what: string;
  store(batch: Batch): Promise<Stored>;
  /** Two batches that together are this one, in the order in which they must be stored; null: it is a single item. */
  halve(batch: Batch): [Batch, Batch] | null;
  /** A single item: set aside instead of stored. */
  giveUp(item: Batch, error: Error): Promise<void>;
};

/** Stores a batch, or all of it but what nobody can store. Returns what `store` said of each piece. */
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

/** JSON spells out what a text column does not take, as U+0000. */
export async function setAside(db: Queryable, what: string, item: unknown, error: Error): Promise<void> {
  await run(db, setAsideSql, [what, JSON.stringify(item).slice(0, 10_000), error.message.slice(0, 1_000)]);
}
