// Closes orders without receipts: after validity plus grace their open messages end as 112, the credit is released, and messages
// that were never sent stay unsent. Only a late delivery receipt changes that (docs/receipts.md).

import { type Db, row, rows, run, sql } from '../db/db.ts';
import type { Log } from '../log.ts';
import { now } from '../time/clock.ts';

const ordersAtOnce = 2_000;
const openAtMost = 500;

type Overdue = { id: number; accountId: number; closeAfter: string };

// Orders are read by `close_after`; `closing.through` is the time before which every order has ended. It never passes the clock
// of the database, because ours may be wrong. Times travel as text: a Date would drop microseconds.
const throughSql = sql<{ through: string }>('close through')`select through::text from closing`;
const pieceSql = sql<{ seen: number; last: string | null; open: Overdue[] | null }>('close overdue')`
  select count(*) as seen, max(o.close_after) filter (where o.close_after < now())::text as last,
    json_agg(json_build_object('id', o.id, 'accountId', o.account_id, 'closeAfter', o.close_after::text) order by o.close_after)
      filter (where o.state = 'sending') as open
  from (select id, account_id, close_after, state from orders where close_after > $1::timestamptz and close_after < $2
    order by close_after fetch first $3 rows with ties) o`;
const keepSql = sql('close keep')`
  update closing c set through = k.through
  from (select least($1::timestamptz, $2::timestamptz - interval '1 microsecond') as through) k where c.through < k.through`;
// An order that a dispatcher is sending is closed later.
const openSql = sql<{ id: number; free: boolean }>('close open')`
  select o.id, not exists (select 1 from chunks c where c.account_id = o.account_id and c.lease_owner is not null and case
      when c.ids is null then c.first_message_id < o.first_message_id + o.total and c.first_message_id + c.count > o.first_message_id
      else exists (select 1 from unnest(c.ids) i where i >= o.first_message_id and i < o.first_message_id + o.total) end) as free
  from orders o where o.id = any ($1) and o.state = 'sending' and o.close_after < $2`;
const closeSql = sql<{ closed: number }>('close order')`select close_order($1, $2, $3, $4) as closed`;

/** How long after the last submit of an order its open messages are closed. */
export function closeAfterMs(validitySeconds: number, graceSeconds: number): number {
  return (validitySeconds + graceSeconds) * 1_000;
}

/**
 * Reads each order once, when it is due; an order that cannot be closed yet is tried again in each round. A round returns 0 when there may
 * be more. `afterMs`: how long after the last submit of an order its open messages are closed.
 */
export function closeOverdue(db: Db, log: Log, afterMs: number): () => Promise<number | undefined> {
  let through: string | undefined;
  const open = new Map<number, Overdue>();

  async function look(): Promise<boolean> {
    const { seen, last, open: found } = (await row(db, pieceSql, [through, now(), ordersAtOnce]))!;
    for (const one of found ?? []) open.set(one.id, one);
    through = last ?? through;
    return last !== null && seen >= ordersAtOnce;
  }

  async function close(): Promise<void> {
    if (open.size === 0) return;
    const left = await rows(db, openSql, [[...open.keys()], now()]);
    const stays = new Set(left.filter(one => !one.free).map(one => one.id));
    for (const { id } of left.filter(one => one.free)) {
      const { accountId } = open.get(id)!;
      const { closed } = (await row(db, closeSql, [accountId, id, now(), `${afterMs} milliseconds`]))!;
      // 0: one of its messages was submitted since, so the order is closed later.
      if (closed === 0) stays.add(id);
      else log.warn({ order: id, account: accountId, messages: closed }, 'messages without a receipt closed');
    }
    for (const id of open.keys()) if (!stays.has(id)) open.delete(id);
  }

  return async () => {
    through ??= (await row(db, throughSql))!.through;
    const isMore = open.size < openAtMost && (await look());
    await close();
    const [first] = open.values();
    await run(db, keepSql, [through, first?.closeAfter ?? 'infinity']);
    return isMore ? 0 : undefined;
  };
}
