import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database/database.ts';
import { carrierHistory, nothingCounted } from './carrier-history.ts';

const database = await testDatabase();
const { pool } = database;
afterAll(() => database.close());

const counts = { ...nothingCounted, submitted: 3 };

test('pending receipts of a carrier are of messages that it took within a day and did not report, and the most of the minute stays', async () => {
  await pool.query(
    `insert into carrier_minutes (carrier_id, minute, submitted, throttled, refused, receipts, undelivered, lag_ms, lag_count, unanswered, waiting, owed)
     values (7, now() - interval '1 hour', 10, 0, 0, 4, 0, 0, 0, 0, 0, 0), (7, now() - interval '2 days', 99, 0, 0, 0, 0, 0, 0, 0, 0, 0),
       (8, now() - interval '1 hour', 1, 0, 0, 2, 0, 0, 0, 0, 0, 0)`,
  );
  const note = carrierHistory(pool);
  const links = [7, 8].map(id => ({ carrier: { id, name: `carrier ${id}` }, counts, windowUsed: 0 }));
  await note(links, true);
  const text = `select carrier_id as id, max(owed) as owed from carrier_minutes where minute > now() - interval '10 minutes' group by 1 order by 1`;
  const pending = async () => (await pool.query(text)).rows;
  const expected = [
    { id: 7, owed: 6 },
    { id: 8, owed: 0 },
  ];
  expect(await pending()).toEqual(expected);
  await pool.query('update carrier_minutes set receipts = 10');
  await note(links, true);
  expect(await pending()).toEqual(expected);
});
