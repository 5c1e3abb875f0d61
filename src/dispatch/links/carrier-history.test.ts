import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { CarrierHistory } from './carrier-history.ts';

const database = await testDatabase();
const { pool } = database;
afterAll(() => database.close());

const counts = { submitted: 3, throttled: 0, refused: 0, receipts: 0, undelivered: 0 };

test('what a carrier owes is what it took of messages without an outcome, its own alone, and the most of the minute stays', async () => {
  await pool.query(
    `insert into messages (id, account_id, order_id, number, text_no, credits, status)
     select n, 1, 1, 905550000000 + n, 1, 1, case when n <= 3 then 110 else 112 end from generate_series(1, 5) n`,
  );
  // Of 1 two parts, 2 and 3 at another carrier, 4 and 5 were closed for lack of a receipt.
  await pool.query(
    `insert into submissions (carrier_id, smsc_id, account_id, message_id, part, parts)
     values (7, 'a', 1, 1, 1, 2), (7, 'b', 1, 1, 2, 2), (8, 'c', 1, 2, 1, 1), (8, 'd', 1, 3, 1, 1), (7, 'e', 1, 4, 1, 1), (7, 'f', 1, 5, 1, 1)`,
  );
  const history = new CarrierHistory(pool);
  const links = [7, 8, 9].map(id => ({ carrier: { id }, counts, windowUsed: 0 }));
  await history.note(links, true);
  const owed = async () =>
    (await pool.query('select carrier_id as id, max(owed) as owed from carrier_minutes group by 1 order by 1')).rows;
  const expected = [
    { id: 7, owed: 2 },
    { id: 8, owed: 2 },
    { id: 9, owed: 0 },
  ];
  expect(await owed()).toEqual(expected);
  await pool.query('delete from submissions where carrier_id = 8');
  await history.note(links, true);
  expect(await owed()).toEqual(expected);
});
