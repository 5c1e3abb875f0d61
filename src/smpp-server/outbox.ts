// What is owed to SMPP users, in storage: taken for this process, done, put off, given back. Written in the transaction of what it tells
// of, receipts of messages with an id of their own many to a row (smpp_owe_each_1, docs/decisions/0016-bundles-of-receipts.md), all else by itself
// (smpp_owe_1, inbound/receive), and removed only when the customer has answered its deliver_sm.

import { arrayLiteral, type Db, row, rows, run, sql } from '../db/db.ts';
import { shownText } from '../sealing/content.ts';
import { type Bundle, type BundleRow, type Owed, unbundled } from './owed.ts';

/** How long it is kept for a customer who does not come. */
export const owedHours = 72;

const takeSql = sql<Owed & { told: string | null; bundled: number[] | null } & Omit<BundleRow, 'at' | 'told'>>(
  'smpp outbox take',
)`
  select id, user_id as "userId", smpp_id as "smppId", status, reason, done_at as "doneAt", tries, sender, number,
    submit_at as "submitAt", origin, inbound_text as text, null as bundle, 0 as at, told, places as bundled, smpp_ids as "smppIds",
    statuses, reasons, submitted, numbers, senders, origins from smpp_take_2($1, $2, $3)`;
const doneSql = sql('smpp outbox done')`select smpp_end_1($1, $2, $3, $4)`;
const alonesSql = sql<{ ids: number[] }>('smpp outbox alone')`select smpp_put_off_1($1, $2, $3, $4) as ids`;
const releaseSql = sql('smpp outbox release')`
  with told as (delete from smpp_bundles where id = any ($2::bigint[]) and bit_count(told) = cardinality(orders) returning id)
  update smpp_bundles set node_id = null where id = any ($2::bigint[]) and node_id = $1 and bit_count(told) < cardinality(orders)`;
const laterSql = sql('smpp outbox later')`
  update smpp_outbox o set node_id = null, tries = o.tries + 1, due_at = now() + u.ms * interval '1 millisecond'
  from unnest($2::bigint[], $3::integer[]) u(id, ms) where o.id = u.id and o.node_id = $1`;
const freeSql = sql('smpp outbox free')`
  update smpp_outbox set node_id = null where id = any ($2::bigint[]) and node_id = $1`;
const refusedSql = sql('smpp outbox refused')`update smpp_users set refused = refused + $2 where id = $1`;
const expireSql = sql<{ expired: number }>('smpp outbox expire')`
  with old as (
    delete from smpp_outbox where id in (select id from smpp_outbox where created_at < now() - $1 * interval '1 hour'
      and not exists (select 1 from smpp_users s join account_fences f on f.account_id = s.account_id where s.id = smpp_outbox.user_id)
      order by created_at limit 5000 for update skip locked) returning user_id, 1 as count),
  bundles as (
    delete from smpp_bundles where id in (
      select x.id from (select id, created_at, user_id from smpp_bundles order by id limit 5000 for update skip locked) x
      where x.created_at < now() - $1 * interval '1 hour'
        and not exists (select 1 from smpp_users s join account_fences f on f.account_id = s.account_id where s.id = x.user_id)) returning user_id, cardinality(orders) - bit_count(told) as count),
  gone as (select * from old union all select * from bundles),
  counted as (
    update smpp_users u set expired = u.expired + o.count
    from (select user_id, sum(count) as count from gone group by user_id) o where u.id = o.user_id)
  select count(*) as expired from gone`;

export async function takeOwed(db: Db, nodeId: number, wanted: Map<number, number>): Promise<Owed[]> {
  const found = await rows(db, takeSql, [nodeId, arrayLiteral([...wanted.keys()]), arrayLiteral([...wanted.values()])]);
  return found.flatMap(one =>
    one.told === null ? { ...one, text: shownText(one.text) } : unbundled({ ...one, told: one.told, at: one.bundled }),
  );
}

/** What the customer has answered: rows of their own, and what is told of these bundles. */
export async function endOwed(db: Db, ids: number[], bundles: Bundle[]): Promise<void> {
  const parts = bundles.filter(one => one.left > 0);
  const whole = bundles.filter(one => one.left === 0);
  const told = `{${parts.map(one => one.bits).join(',')}}`;
  await run(db, doneSql, [arrayLiteral(ids), arrayLiteral(whole.map(idOf)), arrayLiteral(parts.map(idOf)), told]);
}

/** To be tried again later. What shares a row gets one of its own. */
export async function postponeOwed(db: Db, nodeId: number, late: { owed: Owed; ms: number }[]): Promise<void> {
  const alone = late.filter(one => one.owed.bundle === null);
  const ids = alone.map(one => one.owed.id);
  if (ids.length > 0) await run(db, laterSql, [nodeId, arrayLiteral(ids), arrayLiteral(alone.map(one => one.ms))]);
  const shared = late.flatMap(({ owed, ms }) => (owed.bundle ? { owed, bundle: owed.bundle, ms } : []));
  if (shared.length === 0) return;
  const places = [shared.map(one => one.bundle.id), shared.map(one => one.owed.at), shared.map(one => one.ms)];
  const made = (await row(db, alonesSql, [nodeId, ...places.map(arrayLiteral)]))!;
  for (const [i, { owed, bundle }] of shared.entries()) {
    owed.bundle = null;
    owed.id = made.ids[i]!;
    if (owed.id > 0) bundle.tell(owed.at);
    else bundle.giveBack(owed.at);
  }
}

export async function releaseBundles(db: Db, nodeId: number, bundles: Bundle[]): Promise<void> {
  await run(db, releaseSql, [nodeId, arrayLiteral(bundles.map(idOf))]);
}

export async function freeOwed(db: Db, nodeId: number, ids: number[]): Promise<void> {
  await run(db, freeSql, [nodeId, arrayLiteral(ids)]);
}

export async function countRefused(db: Db, userId: number, count: number): Promise<void> {
  await run(db, refusedSql, [userId, count]);
}

/** Returns after how many ms it wants to be called again; nothing: as usual. */
export async function expireOwed(db: Db): Promise<number | undefined> {
  const [{ expired } = { expired: 0 }] = await rows(db, expireSql, [owedHours]);
  return expired > 0 ? 0 : undefined;
}

function idOf({ id }: Bundle): number {
  return id;
}
