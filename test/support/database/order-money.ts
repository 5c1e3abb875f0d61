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
