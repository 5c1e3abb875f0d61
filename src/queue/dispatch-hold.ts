// Holds and releases dispatch. While it is held nothing is leased and no schedule fires, and orders are still accepted. The operator
// holds it, or the program itself when it finds its data in another place (src/db/data-home.ts).

import { type HomeReason, jumpIds } from '../db/data-home.ts';
import { type Db, type Queryable, row, rows, run, runOf, sql, transaction } from '../db/db.ts';

export type DispatchHold = { reason: 'operator' | HomeReason; detail: string; since: Date };

/** For operators. */
export const holdReasons: Record<DispatchHold['reason'], string> = {
  operator: 'an operator held it',
  'other-database': 'the data were restored into another database; what waits in it may have been sent meanwhile',
  'other-timeline':
    'the database was recovered from a backup, or a standby took over; what waits in it may have been sent meanwhile',
  'other-folder': 'the data folder is a copy of another; what waits in it may have been sent meanwhile',
};

const readSql = sql<DispatchHold>('hold read')`select reason, detail, since from dispatch_hold`;
const holdSql = sql('hold set')`
  insert into dispatch_hold (reason, detail) values ('operator', $1) on conflict do nothing`;
/** Holds dispatch after a standby took over without the last writes; `detail` names what is missing. */
export const holdAfterLoss = runOf<[detail: string]>('hold loss')`
  with lost as (update data_home set lost_at = now())
  insert into dispatch_hold (reason, detail) values ('other-timeline', $1) on conflict do nothing`;
const releaseSql = sql<DispatchHold>('hold release')`delete from dispatch_hold returning reason, detail, since`;

export async function readHold(db: Queryable): Promise<DispatchHold | null> {
  return (await row(db, readSql)) ?? null;
}

/** False if dispatch is held already. */
export async function holdDispatch(db: Queryable, detail: string): Promise<boolean> {
  return (await run(db, holdSql, [detail])) > 0;
}

// As if these data had never been anywhere: jump_ids() moves the ids whatever the place.
const oldDataSql = sql('hold old data')`update data_home set lost_at = now(), jumped_for = ''`;

/** For data of an earlier moment in the same place (a snapshot of a volume), which nothing shows: held, and ids jump. */
export function holdOldData(db: Db, detail: string): Promise<void> {
  return transaction(db, async tx => {
    await run(tx, oldDataSql);
    await jumpIds(tx);
    await run(tx, holdSql, [detail]);
  });
}

/** The released hold; null if dispatch was not held. Dispatchers look for work within a second. */
export async function releaseDispatch(db: Queryable): Promise<DispatchHold | null> {
  return (await row(db, releaseSql)) ?? null;
}

const heldSql = sql<{ id: number; accountId: number }>('hold orders')`
  select id, account_id as "accountId" from orders where state = 'sending' and submit_at < $1 and id > $2 order by id limit 100`;
// Before it is due: by its time the background would close it too, and what it closed is not counted here.
const closeSql = sql<{ closed: number }>('hold close order')`select close_order($1, $2, 'infinity', '0') as closed`;

/**
 * Ends orders that were accepted before the hold and may have been sent by the database of which this one is a copy: their open
 * messages end as 112 with their credit returned, and none of them is sent. Returns how many messages ended.
 */
export async function closeHeld(db: Db, since: Date): Promise<number> {
  let closed = 0;
  for (let last = 0; ; ) {
    const found = await rows(db, heldSql, [since, last]);
    for (const one of found) closed += (await row(db, closeSql, [one.accountId, one.id]))!.closed;
    if (found.length === 0) return closed;
    last = found.at(-1)!.id;
  }
}
