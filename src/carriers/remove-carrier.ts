// Removes a carrier for good. It is refused, unless the operator forces it, while receipts are pending, which could not be
// received any more, and while messages wait that no other carrier can send.
import { type Db, row, run, type Sql, sql, transaction } from '../db/db.ts';

/** Why a carrier is not removed. `receipts`: how many are pending (10,000 means that or more). */
export type RemovalRefusal = {
  code: 'unknown' | 'not-paused' | 'releasing' | 'receipts' | 'waiting';
  receipts: number;
};

type Standing = { id: number; paused: boolean; bound: boolean; unreported: number; others: boolean; waiting: boolean };

// Counting ends at 10,000.
const standing = `select c.id, c.paused,
    exists (select 1 from carrier_links l where l.carrier_id = c.id and l.state <> 'down' and l.at > now() - interval '15 seconds') as bound,
    (select count(*) from (select 1 from submits s join messages m on m.id = s.message_id
      where s.carrier_id = c.id and m.status = 110 limit 10000) u) as unreported,
    exists (select 1 from carriers o where o.id <> c.id and not o.paused) as others,
    exists (select 1 from chunks) as waiting
  from carriers c where c.name = $1`;
const standingSql: Sql<Standing> = { name: 'carrier standing', text: standing };
const lockedSql: Sql<Standing> = { name: 'carrier standing locked', text: `${standing} for update of c` };
const removeSql = sql('carrier remove')`delete from carriers where id = $1`;
const tracesSql = sql('carrier traces')`
  with links as (delete from carrier_links where carrier_id = $1), minutes as (delete from carrier_minutes where carrier_id = $1)
  delete from carrier_errors where carrier_id = $1`;

/** Null once it is removed. `elsewhere`: the other cells, whose copies of the carrier are removed after it. */
export async function removeCarrier(
  db: Db,
  name: string,
  force: boolean,
  elsewhere: Db[] = [],
): Promise<RemovalRefusal | null> {
  const copies = await Promise.all(elsewhere.map(one => row(one, standingSql, [name])));
  return transaction(db, async tx => {
    const own = await row(tx, lockedSql, [name]);
    if (!own) return { code: 'unknown', receipts: 0 };
    const known = copies.filter(one => one !== undefined);
    const code = refusalFor(own, known, force);
    if (code) return { code, receipts: [own, ...known].reduce((sum, one) => sum + one.unreported, 0) };
    await run(tx, removeSql, [own.id]);
    await run(tx, tracesSql, [own.id]);
    return null;
  });
}

function refusalFor(own: Standing, copies: Standing[], force: boolean): RemovalRefusal['code'] | null {
  const all = [own, ...copies];
  // Even if forced: a dispatcher that still sends through it could not record the results.
  if (!own.paused) return 'not-paused';
  if (all.some(one => one.bound || !one.paused)) return 'releasing';
  if (force) return null;
  if (all.some(one => one.unreported > 0)) return 'receipts';
  return all.some(one => one.waiting) && !own.others ? 'waiting' : null;
}
