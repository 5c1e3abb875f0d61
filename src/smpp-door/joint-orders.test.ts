// Submits of one user that come together and are alike are stored as one order: each is known, asked for, reported and paid for by itself.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type CustomerPdu, receiptText, SmppCustomer } from '../../test/support/smpp-customer.ts';
import { wait } from '../../test/support/wait.ts';
import { findAccount } from '../accounts/account.ts';
import { audit } from '../audit/invariants.ts';
import { atOnce } from '../in-turns.ts';
import { acceptOrder, judgeDraft } from '../orders/accept.ts';
import { AcceptQueue } from '../orders/accept-queue.ts';
import type { OrderDraft } from '../orders/draft.ts';
import { groupAlike, jointMin } from '../orders/joint-orders.ts';
import { storedAlready } from '../orders/stored-already.ts';
import { orderRow, orderRows, runningRows } from '../panel-api/orders/order-lines.ts';
import { orderOfAnyone } from '../panel-api/staff/find.ts';
import { orderReport } from '../reports/order-report.ts';
import { TestDoor, type TestUser } from './door-fixture.ts';

let door: TestDoor;
beforeAll(async () => {
  door = await TestDoor.open();
});
afterAll(() => door.close());

const customers: SmppCustomer[] = [];
const bind = async (user: TestUser) => {
  const customer = await SmppCustomer.bind(door.port, user);
  customers.push(customer);
  return customer;
};
afterEach(async () => {
  for (const one of customers.splice(0)) one.destroy();
  expect((await audit(door.db)).findings).toEqual([]);
});

const number = (n: number) => `90555${String(n).padStart(7, '0')}`;
const counted = (count: number, from: number) => Array.from({ length: count }, (_, i) => from + i);
const idOf = (answer: CustomerPdu) => Number(answer.message_id);
const blockedSql = `select 1 from pg_stat_activity where datname = current_database() and query like '%accept_many_4%'
  and wait_event_type = 'Lock'`;

/** What is submitted is accepted by one statement: it gathers behind one that waits for the account's balance. */
async function atTheSameTime<T>(user: TestUser, customer: SmppCustomer, submits: () => T): Promise<T> {
  const holder = await door.db.connect();
  try {
    await holder.query('begin');
    await holder.query('select 1 from balances where account_id = $1 for update', [user.accountId]);
    const first = customer.submit(number(9_999), 'Önce', { data_coding: 8, registered_delivery: 0 });
    await wait('a statement that waits', async () => (await door.db.query(blockedSql)).rowCount === 1);
    const given = submits();
    // Answered when all before it were read.
    await customer.ask('enquire_link');
    await holder.query('commit');
    await first;
    return given;
  } finally {
    holder.release();
  }
}

/** All but the one that was submitted first. */
const ordersOf = async (user: TestUser) => (await door.orders(user.accountId)).filter(one => one.text !== 'Önce');

let fingerprint = 5_000n;
const draft = (n: number, text: string): OrderDraft => ({
  sender: 'PEYK',
  texts: [{ text, recipients: [number(n)] }],
  sendAt: null,
  consentCheck: false,
  consentList: null,
  source: 'smpp',
  fingerprint: fingerprint++,
  smpp: '{"u":1,"r":0}',
});

test('each has an id, a state and a receipt of its own, told of its own number; those that differ or are refused stand apart', async () => {
  const user = await door.user({ window: 200, receiptWindow: 20 }, 1_000);
  const customer = await bind(user);
  await door.db.query('insert into blacklist_entries (account_id, number) values ($1, $2)', [
    user.accountId,
    number(107),
  ]);
  const { alike, others } = await atTheSameTime(user, customer, () => ({
    alike: counted(40, 100).map(n => customer.submit(number(n), 'Ayni metin')),
    others: [
      customer.submit(number(150), 'Baska metin'),
      customer.submit(number(151), 'Ayni metin', { user_message_reference: 7 }),
      customer.submit(number(152), 'Ayni metin', { registered_delivery: 0 }),
    ],
  }));
  const answers = await Promise.all(alike);
  const apart = await Promise.all(others);
  expect(answers.map(one => one.command_status)).toEqual(counted(40, 100).map(n => (n === 107 ? 0x0b : 0)));
  const accepted = answers.flatMap((one, i) => (one.command_status === 0 ? [{ id: idOf(one), n: 100 + i }] : []));
  const orders = await ordersOf(user);
  const joint = orders.find(one => one.total > 1)!;
  expect(orders.map(one => one.total).sort()).toEqual([1, 1, 1, 39]);
  expect(accepted.map(one => one.id)).toEqual(counted(39, joint.id));
  for (const one of apart) expect(orders.find(order => order.id === idOf(one))?.total).toBe(1);
  expect(await door.balance(user.accountId)).toBe(1_000 - 43);

  // Half of them arrive, the others do not.
  const settle = (odd: boolean, status: number, reason: number) =>
    door.db.query(
      `select settle_1(array_agg(account_id), array_agg(id order by id), array_agg($3::smallint), array_agg($4::smallint))
       from messages where account_id = $1 and status = 110 and (number % 2 = 1) = $2`,
      [user.accountId, odd, status, reason],
    );
  await settle(true, 111, 0);
  const half = await Promise.all(accepted.map(one => customer.ask('query_sm', { message_id: String(one.id) })));
  expect(half.map(one => one.message_state)).toEqual(accepted.map(one => (one.n % 2 === 1 ? 2 : 1)));
  await settle(false, 112, 10);
  const ended = await Promise.all(accepted.map(one => customer.ask('query_sm', { message_id: String(one.id) })));
  expect(ended.map(one => one.message_state)).toEqual(accepted.map(one => (one.n % 2 === 1 ? 2 : 5)));

  await wait('the receipts', () => customer.received.length === 41);
  const told = new Map(customer.received.map(one => [Number(one.receipted_message_id), one]));
  for (const { id, n } of accepted) {
    const receipt = told.get(id)!;
    expect(receipt.source_addr).toBe(number(n));
    expect(receiptText(receipt)).toContain(`id:${id} sub:001 dlvrd:${n % 2 === 1 ? '001' : '000'}`);
    expect(receipt.message_state).toBe(n % 2 === 1 ? 2 : 5);
  }
  expect(told.get(idOf(apart[1]!))?.user_message_reference).toBe(7);
  expect(await door.balance(user.accountId)).toBe(1_000 - 43 + 22);
});

test('the order is found by the id of each of its messages, by its own account alone, and by nothing beside them', async () => {
  const user = await door.user({ window: 200 });
  const other = await door.user();
  const customer = await bind(user);
  const submits = () => counted(30, 200).map(n => customer.submit(number(n), 'Bulunan'));
  const answers = await Promise.all(await atTheSameTime(user, customer, submits));
  const [joint] = await ordersOf(user);
  expect(joint).toMatchObject({ total: 30 });
  for (const id of answers.map(idOf)) {
    expect((await orderReport(door.db, user.accountId, id, 1, 100))?.messages).toHaveLength(30);
    expect(await orderReport(door.db, other.accountId, id, 1, 100)).toBeNull();
    expect(await orderRow(door.db, user.accountId, id)).toMatchObject({ id: joint!.id });
    expect(await orderRows(door.db, user.accountId, { id }, 10)).toMatchObject([{ id: joint!.id }]);
    expect(await orderOfAnyone(door.db, id)).toMatchObject({ id: joint!.id, accountId: user.accountId });
  }
  expect(await orderReport(door.db, user.accountId, joint!.id + 30, 1, 100)).toBeNull();
  expect(await orderRow(door.db, user.accountId, joint!.id + 30)).toBeUndefined();
  // The one before it is an order of one message.
  expect(await orderRow(door.db, user.accountId, joint!.id - 1)).toMatchObject({ total: 1 });
});

test('however many of them are under way, a campaign of the account stays among what runs', async () => {
  const user = await door.user({ window: 200 });
  const account = (await findAccount(door.db, user.accountId))!;
  const queue = new AcceptQueue(door.db, 3_600_000);
  const numbers = counted(50, 2_000).map(number);
  const campaign = { ...draft(2_000, 'Kampanya'), texts: [{ text: 'Kampanya', recipients: numbers }] };
  const { id } = await acceptOrder(queue, account, campaign, null, new Date());
  const text = (n: number) => `Grup ${Math.floor(n / jointMin)}`;
  const drafts = counted(25 * jointMin, 0).map(n => draft(3_000 + n, text(n)));
  for (let from = 0; from < drafts.length; from += jointMin)
    await Promise.all(
      drafts.slice(from, from + jointMin).map(one => acceptOrder(queue, account, one, null, new Date())),
    );
  const running = await runningRows(door.db, user.accountId);
  expect(running.map(one => one.id)).toContain(id);
  expect(running).toHaveLength(20);
});

test('few of them are orders of their own, and so are those of a user whose repeats are refused', async () => {
  const few = await door.user({ window: 200 });
  const strict = await door.user({ window: 200, duplicates: true });
  const [one, other] = [await bind(few), await bind(strict)];
  await Promise.all(
    await atTheSameTime(few, one, () => counted(jointMin - 1, 300).map(n => one.submit(number(n), 'Az'))),
  );
  expect((await ordersOf(few)).map(order => order.total)).toEqual(counted(jointMin - 1, 0).map(() => 1));
  const twice = () => counted(40, 0).map(n => other.submit(number(330 + (n % 20)), 'Bir kez'));
  const statuses = (await Promise.all(await atTheSameTime(strict, other, twice))).map(answer => answer.command_status);
  expect(statuses.filter(status => status === 0x45)).toHaveLength(20);
  expect((await ordersOf(strict)).map(order => order.total)).toEqual(counted(20, 0).map(() => 1));
});

test('more than there is credit for are judged one by one, so that exactly as many are accepted', async () => {
  const user = await door.user({ window: 200 }, 100);
  const customer = await bind(user);
  const answers = await Promise.all(counted(120, 400).map(n => customer.submit(number(n), 'Pahalı')));
  expect(answers.filter(one => one.command_status === 0)).toHaveLength(100);
  expect(await door.balance(user.accountId)).toBe(0);
  expect(new Set(answers.filter(one => one.command_status === 0).map(idOf)).size).toBe(100);
});

test('a webhook is told once of an order of many', async () => {
  const user = await door.user({ window: 200 });
  await door.db.query(
    `insert into webhook_endpoints (account_id, url, skipped) values ($1, 'http://127.0.0.1:9/', '{}')
     on conflict (account_id) do update set url = excluded.url`,
    [user.accountId],
  );
  const customer = await bind(user);
  const submits = () => [
    ...counted(20, 600).map(n => customer.submit(number(n), 'Haber')),
    customer.submit(number(650), 'Tek'),
  ];
  await Promise.all(await atTheSameTime(user, customer, submits));
  const { rows } = await door.db.query(
    `select o.total, w.message_count as count, w.first_message_id = o.first_message_id as first from webhook_outbox w
     join orders o on o.id = w.order_id where w.account_id = $1 and w.kind = 'accepted' and o.text <> 'Önce' order by o.total`,
    [user.accountId],
  );
  expect(rows).toEqual([1, 20].map(total => ({ total, count: total, first: true })));
});

test('the last order that was answered is found again, whichever of its messages was answered last', async () => {
  const user = await door.user();
  const account = (await findAccount(door.db, user.accountId))!;
  const queue = new AcceptQueue(door.db, 3_600_000);
  const stored = await Promise.all(
    counted(20, 700).map(n => acceptOrder(queue, account, draft(n, 'Son'), null, new Date())),
  );
  expect(stored.map(one => one.nth)).toEqual(counted(20, 0));
  expect(await queue.lost(door.db)).toBeNull();
  await door.db.query('update orders set fingerprint = 1 where id = $1', [stored[0]!.id]);
  expect(await queue.lost(door.db)).toContain(`order ${stored[0]!.id} `);
});

test('what a batch stored although its answer was an error is known message by message, refused ones apart', async () => {
  const user = await door.user();
  const account = (await findAccount(door.db, user.accountId))!;
  const now = new Date();
  const refused = number(803);
  await door.db.query('insert into blacklist_entries (account_id, number) values ($1, $2)', [user.accountId, refused]);
  const drafts = [...counted(20, 800).map(n => draft(n, 'Ortak')), draft(850, 'Tek'), draft(851, 'Çift')];
  const queue = new AcceptQueue(door.db, 3_600_000);
  const answers = await Promise.allSettled(drafts.map(one => acceptOrder(queue, account, one, null, now)));
  const { sorted, groups } = groupAlike(
    drafts.map(one => ({ request: atOnce(judgeDraft(account, one, null, now)), one })),
  );
  const requests = sorted.map(one => one.request);
  const stored = await storedAlready(door.db, requests, groups);
  const places = sorted.map(({ one }) => answers[drafts.indexOf(one)]!);
  expect(places.filter(one => one.status === 'rejected')).toHaveLength(1);
  for (const [i, place] of places.entries())
    expect(stored.get(i)).toEqual(
      place.status === 'rejected' ? undefined : { orderId: place.value.id, nth: place.value.nth },
    );
});
