// Large orders are copied in, small ones inserted by a function: nobody may be able to tell which.
import { afterAll, expect, test } from 'vitest';
import { expectRefusal, expectSuccess } from '../../test/support/answers.ts';
import { testApp } from '../../test/support/app.ts';
import { freshText, numbers, sender } from '../../test/support/samples.ts';
import { grantCredit } from '../balance/ledger.ts';
import { addToBlacklist } from '../blacklist/blacklist.ts';
import { badNumberText, parseNumber } from '../numbers/phone.ts';

const app = await testApp();
afterAll(() => app.close());

const large = 1_500;
const bad = ['12', 'çağrı\t\\N\n', '٣'];
const listed = '5550000003';

/** Two texts of different length; recipients that are good, bad and blacklisted. */
function message(count: number) {
  const long = `${freshText()} ${'uzun '.repeat(60)}`;
  return [
    { text: freshText(), receipents: { number: [...numbers(count / 2), ...bad] } },
    { text: long, receipents: { number: numbers(count / 2, 100_000) } },
  ];
}

async function stored(count: number) {
  const account = await app.open({ senders: [sender], sms: 99_900 });
  await addToBlacklist(app.db, account.id, parseNumber(listed, false), 'api');
  const id = await account.send({ sender, message: message(count) });
  const rows = await app.db.query(
    `select m.id - o.first_message_id as at, m.number, m.text_no, m.credits, m.status, m.reason, m.given,
        m.final_at = o.submit_at as ended
      from messages m join orders o on o.id = m.order_id where m.order_id = $1 order by m.id`,
    [id],
  );
  const sums = await app.db.query(
    `select o.total, o.undelivered, o.reserved, b.sms from orders o join balances b on b.account_id = o.account_id where o.id = $1`,
    [id],
  );
  return { rows: rows.rows as Record<string, unknown>[], sums: sums.rows[0] as Record<string, number> };
}

test('a large order is stored as a small one is: same rows, reasons, prices and counters', async () => {
  const [few, many] = [await stored(20), await stored(large)];
  expect(many.rows).toHaveLength(large + bad.length);
  expect(many.rows.map(one => one['at'])).toEqual(many.rows.map((_, i) => i));
  const kinds = (rows: Record<string, unknown>[]) =>
    [...new Set(rows.map(({ at, number, ...rest }) => JSON.stringify({ ...rest, isNull: number === null })))].sort();
  expect(kinds(many.rows)).toEqual(kinds(few.rows));
  expect(many.rows.find(one => one['given'] === badNumberText(bad[1]))).toMatchObject({
    number: null,
    status: 112,
    reason: 1,
  });
  const credits = many.rows.reduce((sum, one) => sum + Number(one['credits']), 0);
  expect(many.sums).toEqual({
    total: large + bad.length,
    undelivered: bad.length + 1,
    reserved: credits,
    sms: 100_000 - credits,
  });
});

test('a large order beyond the credit leaves nothing behind, and the same again is accepted once there is credit', async () => {
  const account = await app.open({ senders: [sender], sms: large - 101 });
  const order = { sender, message: { text: freshText(), receipents: { number: numbers(large) } } };
  expectRefusal(await account.call('send-sms', { order }), 402);
  const left = await app.db.query('select 1 from messages where account_id = $1 limit 1', [account.id]);
  expect(left.rowCount).toBe(0);
  await grantCredit(app.db, account.id, 1, 'deneme', 'test');
  expectSuccess(await account.call('send-sms', { order }), 'order');
  expectRefusal(await account.call('send-sms', { order }), 451);
});

test('two large orders at once cannot spend the same credit', async () => {
  const account = await app.open({ senders: [sender], sms: large - 100 });
  const send = (from: number) =>
    account.call('send-sms', {
      order: { sender, message: { text: freshText(), receipents: { number: numbers(large, from) } } },
    });
  const answers = await Promise.all([send(0), send(200_000), send(400_000)]);
  expect(answers.map(one => one.code).sort()).toEqual([200, 402, 402]);
});

test('a large order of good numbers alone holds each of them once, in the order given', async () => {
  const account = await app.open({ senders: [sender], sms: large });
  const given = numbers(large, 700_000).reverse();
  const id = await account.send({ sender, message: { text: freshText(), receipents: { number: given } } });
  const { rows } = await app.db.query(
    `select m.number, m.id - o.first_message_id as at, m.credits, m.status, m.reason, m.final_at, m.given
      from messages m join orders o on o.id = m.order_id where m.order_id = $1 order by m.id`,
    [id],
  );
  expect(rows).toEqual(
    given.map((number, at) => ({
      number: Number(`90${number}`),
      at,
      credits: 1,
      status: 110,
      reason: 0,
      final_at: null,
      given: null,
    })),
  );
});

test('a message ends in the page it began in, so that its index keeps one entry', async () => {
  const account = await app.open({ senders: [sender], sms: 99_900 });
  const id = await account.send({ sender, message: { text: freshText(), receipents: { number: numbers(large) } } });
  const pages = async () =>
    (
      await app.db.query(
        'select id, account_id, (ctid::text::point)[0]::int as page from messages where order_id = $1 order by id',
        [id],
      )
    ).rows;
  const begun = await pages();
  await app.db.query(
    'select settle_1($1, $2, array_fill(111::smallint, array[$3::int]), array_fill(0::smallint, array[$3]))',
    [begun.map(one => one.account_id), begun.map(one => one.id), begun.length],
  );
  const ended = await pages();
  expect(ended.filter((one, i) => one.page !== begun[i].page)).toEqual([]);
});
