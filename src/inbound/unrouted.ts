// Messages from phones to a number that no account has. Staff read them, assign the number to an account (which then gets the
// stored messages), or delete them. Retention and erasure include them (retention.ts, erase.ts).
import { type Db, type Queryable, rows, run, sql } from '../db/db.ts';
import { untilNone } from '../db/erase.ts';
import { shownText } from '../sealing/content.ts';
import { takeForeignInbound, type Unrouted } from './receive.ts';

export type UnroutedLine = { id: number; number: string; sender: string; text: string; receivedAt: Date };

const newestSql = sql<UnroutedLine>('unrouted newest')`
  select id, recipient as number, sender, text, received_at as "receivedAt" from inbound_unrouted order by id desc limit $1`;

export async function newestUnrouted(db: Queryable, most: number): Promise<UnroutedLine[]> {
  return (await rows(db, newestSql, [most])).map(one => ({ ...one, text: shownText(one.text) }));
}

const routedAtOnce = 100;
const ofNumberSql = sql<Unrouted>('unrouted of number')`
  select id, carrier_id as "carrierId", sender, recipient, text, received_at as "receivedAt" from inbound_unrouted
  where recipient = $1 and id > $2 order by id limit $3`;
const removeSql = sql('unrouted remove')`delete from inbound_unrouted where id = any ($1)`;

/**
 * Gives stored messages of a number to its new account; `to` is the account's database, `from` the one that stores them (the
 * cell's). Moves at most `most`, oldest first, and returns how many. A message that does not match the account's keyword stays.
 */
export async function routeStored(from: Db, cell: number, to: Db, number: string, most: number): Promise<number> {
  let routed = 0;
  for (let after = 0; routed < most; ) {
    const found = await rows(from, ofNumberSql, [number, after, Math.min(routedAtOnce, most - routed)]);
    if (found.length === 0) break;
    const taken: number[] = [];
    for (const one of found)
      if (await takeForeignInbound(to, { ...one, text: shownText(one.text) }, cell)) taken.push(one.id);
    if (taken.length > 0) await run(from, removeSql, [taken]);
    routed += taken.length;
    after = found.at(-1)!.id;
  }
  return routed;
}

const deletedAtOnce = 1_000;
const deleteSql = sql('unrouted delete')`
  delete from inbound_unrouted where id = any (array(
    select id from inbound_unrouted where recipient = $1 and received_at < $2::timestamptz + interval '1 ms' order by id limit $3))`;

/** Deletes only what the person has seen: messages received until `until`. */
export function deleteUnrouted(db: Db, number: string, until: Date): Promise<number> {
  return untilNone(deletedAtOnce, () => run(db, deleteSql, [number, until, deletedAtOnce]));
}
