// Pending deliveries to SMPP users: receipts and messages from phones. A row is written in the transaction of its event
// (notify_smpp, inbound/receive), taken by the process of a bind, and removed when the customer has answered its deliver_sm.

import { arrayLiteral, type Db, rows, run, runOf, sql } from '../db/db.ts';
import { shownText } from '../sealing/content.ts';
import type { Origin } from './read-submit.ts';

export type PendingDelivery = {
  id: number;
  userId: number;
  /** Of a receipt: the id under which the customer knows the message. */
  smppId: number | null;
  status: number;
  reason: number;
  doneAt: Date;
  tries: number;
  /** Null if the order was removed since; such a receipt is dropped. */
  sender: string | null;
  number: string | null;
  submitAt: Date | null;
  origin: Origin | null;
  /** Of a message from a phone. */
  text: string | null;
};

/** How long a delivery is kept for a customer who does not bind. */
const keptHours = 72;

const takeSql = sql<PendingDelivery>('smpp outbox take')`
  select id, user_id as "userId", smpp_id as "smppId", status, reason, done_at as "doneAt", tries, sender, number,
    submit_at as "submitAt", origin, inbound_text as text from smpp_take($1, $2, $3)`;
const doneSql = sql('smpp outbox done')`delete from smpp_outbox where id = any ($1::bigint[])`;
// Without a pause it was not tried: it is free for the next process.
const laterSql = sql('smpp outbox later')`
  update smpp_outbox o set node_id = null, tries = o.tries + case when u.ms > 0 then 1 else 0 end,
    due_at = case when u.ms > 0 then now() + u.ms * interval '1 millisecond' else o.due_at end
  from unnest($2::bigint[], $3::integer[]) u(id, ms) where o.id = u.id and o.node_id = $1`;
export const countRefused = runOf<[userId: number]>('smpp outbox refused')`
  update smpp_users set refused = refused + 1 where id = $1`;
const expireSql = sql<{ expired: number }>('smpp outbox expire')`
  with old as (
    delete from smpp_outbox where id in (select id from smpp_outbox where created_at < now() - $1 * interval '1 hour'
      order by created_at limit 5000 for update skip locked) returning user_id),
  counted as (
    update smpp_users u set expired = u.expired + o.count
    from (select user_id, count(*) as count from old group by user_id) o where u.id = o.user_id)
  select count(*) as expired from old`;

export async function takeDeliveries(db: Db, nodeId: number, wanted: Map<number, number>): Promise<PendingDelivery[]> {
  const found = await rows(db, takeSql, [nodeId, arrayLiteral([...wanted.keys()]), arrayLiteral([...wanted.values()])]);
  return found.map(one => ({ ...one, text: shownText(one.text) }));
}

export async function removeDeliveries(db: Db, ids: number[]): Promise<void> {
  if (ids.length > 0) await run(db, doneSql, [arrayLiteral(ids)]);
}

/** Frees them for any process after `ms`; 0: at once, and not counted as a try. */
export async function postponeDeliveries(db: Db, nodeId: number, late: { id: number; ms: number }[]): Promise<void> {
  await run(db, laterSql, [nodeId, arrayLiteral(late.map(one => one.id)), arrayLiteral(late.map(one => one.ms))]);
}

/** Returns 0 if there may be more to remove at once. */
export async function expireDeliveries(db: Db): Promise<number | undefined> {
  const [{ expired } = { expired: 0 }] = await rows(db, expireSql, [keptHours]);
  return expired > 0 ? 0 : undefined;
}
