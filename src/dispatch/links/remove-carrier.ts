// Taking a carrier away for good. What it was given and has not reported on would never be heard of again, and what only it
// could send would wait for nobody: both are reasons to refuse, unless the operator insists.
import { type Db, row, run, sql, transaction } from '../../db/db.ts';

/** Why a carrier is not removed; null once it is gone. `receipts`: how many are owed (10,000 = that or more). */
export type RemovalRefusal = {
  code: 'unknown' | 'not-paused' | 'releasing' | 'receipts' | 'waiting';
  receipts: number;
};

type Standing = { id: number; paused: boolean; bound: boolean; unreported: number; others: boolean; waiting: boolean };

// Counting ends at 10,000: it says enough.
const standingSql = sql<Standing>('carrier standing')`
  select c.id, c.paused,
    exists (select 1 from carrier_links l where l.carrier_id = c.id and l.state <> 'down' and l.at > now() - interval '15 seconds') as bound,
    (select count(*) from (select 1 from submissions s join messages m on m.account_id = s.account_id and m.id = s.message_id
      where s.carrier_id = c.id and m.status = 110 limit 10000) u) as unreported,
    exists (select 1 from carriers o where o.id <> c.id and not o.paused) as others,
    exists (select 1 from chunks) as waiting
  from carriers c where c.name = $1 for update of c`;
const removeSql = sql('carrier remove')`delete from carriers where id = $1`;
const tracesSql = sql('carrier traces')`
  with links as (delete from carrier_links where carrier_id = $1), minutes as (delete from carrier_minutes where carrier_id = $1)
  delete from carrier_errors where carrier_id = $1`;

export function removeCarrier(db: Db, name: string, force: boolean): Promise<RemovalRefusal | null> {
  return transaction(db, async tx => {
    const standing = await row(tx, standingSql, [name]);
    if (!standing) return { code: 'unknown', receipts: 0 };
    const code = refusalFor(standing, force);
    if (code) return { code, receipts: standing.unreported };
    await run(tx, removeSql, [standing.id]);
    await run(tx, tracesSql, [standing.id]);
    return null;
  });
}

function refusalFor(standing: Standing, force: boolean): RemovalRefusal['code'] | null {
  // Also when insisted on: a dispatcher that still sends through it would not be able to say what became of it.
  if (!standing.paused) return 'not-paused';
  if (standing.bound) return 'releasing';
  if (force) return null;
  if (standing.unreported > 0) return 'receipts';
  return standing.waiting && !standing.others ? 'waiting' : null;
}

/** The refusal with what to do, for the command line. */
export function removalText(name: string, { code, receipts }: RemovalRefusal): string {
  const texts: Record<RemovalRefusal['code'], string> = {
    unknown: `there is no carrier "${name}"`,
    'not-paused': `carrier "${name}" may be sending now; pause it first: peyk carrier pause ${name}`,
    releasing: `carrier "${name}" is being released; try again in a moment`,
    receipts:
      `carrier "${name}" still owes receipts for ${receipts >= 10_000 ? '10000 or more' : receipts} messages; let them come without new ` +
      `ones: peyk carrier add --name ${name} --prefixes 0, peyk carrier resume ${name}, later pause and remove it; with --force they ` +
      'end as undelivered when their time is over',
    waiting:
      'messages are waiting and no other carrier could send them; add or resume one first, or insist with --force',
  };
  return texts[code];
}
