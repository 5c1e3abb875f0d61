// An accepted order and what it, its messages and its account hold of credit, for tests of the functions that settle and close.
import { openAccount } from '../../../src/accounts/open.ts';
import type { Db } from '../../../src/db/db.ts';
import { settleMessages } from '../../../src/settle/settle.ts';
import { storeOrder } from './stored-order.ts';

export type TestOrder = { id: number; accountId: number; messages: number[] };
type End = readonly [status: 111 | 112, reason?: number];

/** With the welcome credit of 100. */
export async function openAccountId(db: Db): Promise<number> {
  return (await openAccount(db, 'Deneme')).id;
}

export async function newOrder(
  db: Db,
  accountId: number,
  count: number,
  { parts = 1, bad = [] as string[] } = {},
): Promise<TestOrder> {
  const id = await storeOrder(db, accountId, count, bad, parts);
  const { rows } = await db.query('select id from messages where order_id = $1 and status = 110 order by id', [id]);
  return { id, accountId, messages: rows.map(row => row.id as number) };
}

/** Three orders whose messages follow each other, as those of one batch do. None of them has a chunk. */
export async function adjacentOrders(db: Db, accountId: number, count: number): Promise<TestOrder[]> {
  const orders = [await newOrder(db, accountId, count), await newOrder(db, accountId, count)];
  const middle = await newOrder(db, accountId, count);
  await db.query('delete from chunks where account_id = $1', [accountId]);
  const [before, after] = await Promise.all(
    orders.map(async (one, i) => {
      const first = middle.messages[0]! + (i === 0 ? -count : count);
      await db.query('update messages set id = id - $2 + $3 where order_id = $1', [one.id, one.messages[0], first]);
      await db.query('update orders set first_message_id = $2 where id = $1', [one.id, first]);
      return { ...one, messages: one.messages.map((_, place) => first + place) };
    }),
  );
  return [before!, middle, after!];
}

/** Ends the messages of an order in their sequence; null leaves one open. Returns how many ended. */
export function endMessages(db: Db, { messages }: TestOrder, ends: readonly (End | null)[]): Promise<number> {
  return settleMessages(
    db,
    ends.flatMap((end, i) => (end ? [{ id: messages[i]!, status: end[0], reason: end[1] ?? 0 }] : [])),
  );
}

export async function orderState(db: Db, { id }: TestOrder) {
  const text = `select state, delivered, undelivered, reserved::int, consumed::int, finished_at is not null as ended
    from orders where id = $1`;
  return (await db.query(text, [id])).rows[0];
}

/** Kind, change of the balance and change of the reservation, in their sequence. */
export async function ledgerOf(db: Db, { id }: TestOrder): Promise<[string, number, number][]> {
  const text = 'select kind, sms::int, reserved::int from ledger_entries where order_id = $1 order by id';
  return (await db.query(text, [id])).rows.map(row => [row.kind, row.sms, row.reserved]);
}

export async function messagesOf(db: Db, { messages }: TestOrder): Promise<[status: number, reason: number][]> {
  const text = 'select status, reason from messages where id = any ($1) order by id';
  return (await db.query(text, [messages])).rows.map(row => [row.status, row.reason]);
}

export async function balanceOf(db: Db, accountId: number): Promise<number> {
  return (await db.query('select sms::int from balances where account_id = $1', [accountId])).rows[0].sms;
}

/** Whether a session of this database waits for a lock of another one. */
export async function isLockAwaited(db: Db): Promise<boolean> {
  const text = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return (await db.query(text)).rows.length > 0;
}
