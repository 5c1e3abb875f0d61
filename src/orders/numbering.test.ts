// The index of numbers is filled behind the orders, large ones piece by piece; a number is found whole at every moment.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestAccount, type TestApp, testApp } from '../../test/support/app.ts';

let app: TestApp;
let account: TestAccount;

beforeAll(async () => {
  app = await testApp();
  account = await app.open({ sms: 1_000, senders: ['PEYK'] });
});
afterAll(() => app.close());

async function ended(text: string, numbers: string[]): Promise<void> {
  const order = { sender: 'PEYK', message: { text, receipents: { number: numbers } } };
  expect((await account.call('send-sms', { order })).code).toBe(200);
  await app.db.query(
    `update orders set state = 'finished', finished_at = now() where account_id = $1 and state = 'sending'`,
    [account.id],
  );
}

const take = async (messages: number) =>
  (await app.db.query<{ taken: number }>('select number_orders_1(500, $1) as taken', [messages])).rows[0]!.taken;
const indexed = async () =>
  (await app.db.query('select 1 from message_numbers where account_id = $1', [account.id])).rowCount;
const found = async (number: string) =>
  (await app.db.query('select messages_of_number_1($1, $2, 9000000000000000, 10)', [account.id, `90${number}`]))
    .rowCount;

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
  const left = await app.db.query('select 1 from orders where account_id = $1 and not numbered', [account.id]);
  expect(left.rowCount).toBe(0);
});
