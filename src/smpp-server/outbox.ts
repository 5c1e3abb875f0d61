// What is owed to SMPP users, in storage: receipts and messages from phones, taken for this process, done, put off, given back. Written in the
// transaction of what it tells of (notify_smpp, inbound/receive), removed only when the customer has answered its deliver_sm.

import { arrayLiteral, type Db, rows, run, sql } from '../db/db.ts';
import { shownText } from '../sealing/content.ts';
import type { Origin } from './read-submit.ts';

export type Owed = {
  id: number;
  userId: number;
  /** Of a receipt: the id by which the customer knows the message. */
  smppId: number | null;
  status: number;
  reason: number;
  doneAt: Date;
  tries: number;
  /** Of an order removed since, nothing: it is dropped. */
  sender: string | null;
  number: string | null;
  submitAt: Date | null;
  origin: Origin | null;
  /** Of a message from a phone. */
  text: string | null;
};

/** How long it is kept for a customer who does not come. */
export const owedHours = 72;

const takeSql = sql<Owed>('smpp outbox take')`
  select id, user_id as "userId", smpp_id as "smppId", status, reason, done_at as "doneAt", tries, sender, number,
    submit_at as "submitAt", origin, inbound_text as text from smpp_take($1, $2, $3)`;
const doneSql = sql('smpp outbox done')`delete from smpp_outbox where id = any ($1::bigint[])`;
const laterSql = sql('smpp outbox later')`
  update smpp_outbox o set node_id = null, tries = o.tries + 1, due_at = now() + u.ms * interval '1 millisecond'
  from unnest($2::bigint[], $3::integer[]) u(id, ms) where o.id = u.id and o.node_id = $1`;
const freeSql = sql('smpp outbox free')`
  update smpp_outbox set node_id = null where id = any ($2::bigint[]) and node_id = $1`;
const refusedSql = sql('smpp outbox refused')`update smpp_users set refused = refused + $2 where id = $1`;
const expireSql = sql<{ expired: number }>('smpp outbox expire')`
  with old as (
    delete from smpp_outbox where id in (select id from smpp_outbox where created_at < now() - $1 * interval '1 hour'
      order by created_at limit 5000 for update skip locked) returning user_id),
  counted as (
    update smpp_users u set expired = u.expired + o.count
    from (select user_id, count(*) as count from old group by user_id) o where u.id = o.user_id)
  select count(*) as expired from old`;

export async function takeOwed(db: Db, nodeId: number, wanted: Map<number, number>): Promise<Owed[]> {
  const found = await rows(db, takeSql, [nodeId, arrayLiteral([...wanted.keys()]), arrayLiteral([...wanted.values()])]);
  return found.map(one => ({ ...one, text: shownText(one.text) }));
}

/** The customer has answered, or there is nothing left to tell. */
export async function endOwed(db: Db, owed: Owed[]): Promise<void> {
  if (owed.length > 0) await run(db, doneSql, [idsOf(owed)]);
}

/** To be tried again later. */
export async function postponeOwed(db: Db, nodeId: number, late: { owed: Owed; ms: number }[]): Promise<void> {
  await run(db, laterSql, [nodeId, idsOf(late.map(one => one.owed)), arrayLiteral(late.map(one => one.ms))]);
}

export async function freeOwed(db: Db, nodeId: number, owed: Owed[]): Promise<void> {
  await run(db, freeSql, [nodeId, idsOf(owed)]);
}

export async function countRefused(db: Db, userId: number, count: number): Promise<void> {
  await run(db, refusedSql, [userId, count]);
}

/** Returns after how many ms it wants to be called again; nothing: as usual. */
export async function expireOwed(db: Db): Promise<number | undefined> {
  const [{ expired } = { expired: 0 }] = await rows(db, expireSql, [owedHours]);
  return expired > 0 ? 0 : undefined;
}

function idsOf(owed: Owed[]): string {
  return arrayLiteral(owed.map(one => one.id));
}
