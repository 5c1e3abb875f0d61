// The index of numbers is filled behind the orders, large ones piece by piece; a number is found whole at every moment.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestAccount, type TestApp, testApp } from '../../test/support/program/app.ts';
import { monotonicMs } from '../time/clock.ts';
import { numberingRound, restAfter } from './numbering.ts';

let app: TestApp;
let account: TestAccount;

beforeAll(async () => {
  app = await testApp({ own: true });
  account = await app.open({ sms: 1_000, senders: ['PEYK'] });
});
afterAll(() => app.close());

async function ended(text: string, numbers: string[]): Promise<void> {
  const order = { sender: 'PEYK', message: { text, receipents: { number: numbers } } };
  expect((await account.call('send-sms', { order })).code).toBe(200);
  await app.db.query(
    `with ended as (
       update orders set state = 'finished', finished_at = now() where account_id = $1 and state = 'sending' returning *)
     insert into number_queue select id, account_id, first_message_id, total from ended`,
    [account.id],
  );
}

const take = async (messages: number) =>
  (await app.db.query<{ taken: number }>('select number_ended_orders(500, $1) as taken', [messages])).rows[0]!.taken;
const indexed = async () =>
  (await app.db.query('select 1 from message_numbers where account_id = $1', [account.id])).rowCount;
const found = async (number: string) =>
  (await app.db.query('select messages_of_number($1, $2, 9000000000000000, 10)', [account.id, `90${number}`])).rowCount;

test('orders larger than a piece are taken in over several, and every number is found once at each step', async () => {
  const numbers = Array.from({ length: 25 }, (_, i) => `55500000${String(i).padStart(2, '0')}`);
  await ended('Parca', numbers);
  await ended('Tek', ['5550000099']);
  const steps: [number, number][] = [
    [10, 10],
    [10, 20],
    [6, 26],
    [0, 26],
  ];
  for (const [taken, sum] of steps) {
    expect(await take(10)).toBe(taken);
    expect(await indexed()).toBe(sum);
    for (const number of [numbers[0]!, numbers[15]!, numbers[24]!, '5550000099']) expect(await found(number)).toBe(1);
  }
  const left = await app.db.query('select 1 from number_queue where account_id = $1', [account.id]);
  expect(left.rowCount).toBe(0);
});

test('however many nodes do it, together they work a quarter of the time', async () => {
  for (const nodes of [0, 1, 2, 5]) {
    const share = Math.max(1, nodes) * (10 / (10 + restAfter(10, nodes)));
    expect(share).toBeCloseTo(0.25);
  }
  // A round alone rests three times as long as it worked; with 400 dispatchers at work, much longer.
  const { rows } = await app.db.query(
    "insert into dispatchers (node) select 'test' from generate_series(1, 400) returning id",
  );
  await ended('Cok dugum', ['5550000061', '5550000062']);
  const began = monotonicMs();
  const rest = await numberingRound(app.db);
  expect(rest! / (monotonicMs() - began)).toBeGreaterThan(3);
  await app.db.query('delete from dispatchers where id = any ($1)', [rows.map(one => one.id)]);
});

test('an order of one message is entered by its number as it ends, one of several behind', async () => {
  const own = await app.open({ sms: 1_000, senders: ['PEYK'] });
  for (const numbers of [['5550000001'], ['5550000002', '5550000003']]) {
    const order = { sender: 'PEYK', message: { text: `Son ${numbers.length}`, receipents: { number: numbers } } };
    expect((await own.call('send-sms', { order })).code).toBe(200);
  }
  // A number that is indexed already does not prevent orders from ending.
  const early = { sender: 'PEYK', message: { text: 'Son 0', receipents: { number: ['5550000004'] } } };
  expect((await own.call('send-sms', { order: early })).code).toBe(200);
  await app.db.query(
    'insert into message_numbers select account_id, number, id from messages where account_id = $1 and number = 905550000004',
    [own.id],
  );
  await app.db.query(
    `select settle(array_agg(id order by id), array_agg(111::smallint), array_agg(0::smallint))
     from messages where account_id = $1`,
    [own.id],
  );
  const entered = await app.db.query('select number from message_numbers where account_id = $1 order by 1', [own.id]);
  expect(entered.rows).toEqual([{ number: 905550000001 }, { number: 905550000004 }]);
  const orders = await app.db.query(
    `select o.total, q.total as waits, o.state from orders o left join number_queue q on q.order_id = o.id
     where o.account_id = $1 order by o.id`,
    [own.id],
  );
  expect(orders.rows).toEqual([
    { total: 1, waits: null, state: 'finished' },
    { total: 2, waits: 2, state: 'finished' },
    { total: 1, waits: null, state: 'finished' },
  ]);
  expect(await take(10)).toBe(2);
});

test('numbering reads the messages it takes in and no others, however many the account has', async () => {
  const many = 20_000;
  const other = await app.open({ sms: 1_000, senders: ['PEYK'] });
  // An order of the account with many messages, taken in long ago, and 300 of one message each that wait.
  const { rows } = await app.db.query<{ o: number; f: number }>(
    `select setval('order_ids', nextval('order_ids') + 301) - 301 as o, take_message_ids($1) as f`,
    [many + 300],
  );
  const { o, f } = rows[0]!;
  await app.db.query(
    `insert into orders (id, account_id, sender, lane, state, total, first_message_id, submit_at, send_at, close_after,
       finished_at, fingerprint, text, encoding, parts)
     select $1::bigint + i, $2, 'PEYK', 0, 'finished', case i when 0 then $4 else 1 end,
       case i when 0 then $3::bigint else $3::bigint + $4 + i - 1 end, now(), now(), now(), now(), i, 'Metin', 0, 1
     from generate_series(0, 300) i`,
    [o, other.id, f, many],
  );
  await app.db.query(
    'insert into number_queue select id, account_id, first_message_id, total from orders where account_id = $1 and total = 1',
    [other.id],
  );
  await app.db.query(
    `insert into messages (id, account_id, order_id, number, text_no, credits, status)
     select $3::bigint + i, $2, $1::bigint + greatest(0, i - $4 + 1), 905550000000 + i, 1, 1, 111
     from generate_series(0, $4 + 299) i`,
    [o, other.id, f, many],
  );
  const session = await app.db.connect();
  const read = async () =>
    (
      await session.query<{ rows: number }>(
        `select seq_tup_read + idx_tup_fetch as rows from pg_stat_xact_user_tables where relname = 'messages'`,
      )
    ).rows[0]!.rows;
  try {
    await session.query('begin');
    const before = await read();
    const taken = await session.query('select number_ended_orders(500, 2000) as taken');
    expect(taken.rows).toEqual([{ taken: 300 }]);
    expect((await read()) - before).toBe(300);
  } finally {
    await session.query('rollback');
    session.release();
  }
});
