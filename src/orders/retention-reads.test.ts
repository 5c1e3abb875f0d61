// Retention looks every half minute, so what it reads must not grow with what is stored.
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { rowsRead } from '../../test/support/rows-read.ts';
import { retainApiLog } from '../accounts/retention.ts';
import { dayMs } from '../db/retention.ts';
import { retainParts } from '../inbound/retention.ts';
import { receiptRetention } from '../receipts/retention.ts';
import { OrderRetention } from './retention.ts';

const database = await testDatabase();
afterAll(() => database.close());
const db = database.pool;
const stored = 30_000;

const fill = {
  idempotency_keys: `insert into idempotency_keys (account_id, key, body_digest, order_id)
    select 1, 'k' || i, '\\x00', i from generate_series(1, ${stored}) i`,
  receipts: `insert into receipts (carrier_id, smsc_id, status, reason) select 1, i, 111, 0 from generate_series(1, ${stored}) i`,
  unsure: `insert into unsure (message_id, account_id, attempt, number, lane, carrier_id, written_at, single)
    select i, 1, 0, i, 0, 1, now(), true from generate_series(1, ${stored}) i`,
  api_refusals: `insert into api_refusals (account_id, operation, code, cause) select 1, 'x', 401, 'x' from generate_series(1, ${stored})`,
  inbound_parts: `insert into inbound_parts (carrier_id, sender, recipient, reference, total, sequence, text)
    select 1, 'a', 'b', i, 2, 1, 'x' from generate_series(1, ${stored}) i`,
  inbound_seen: `insert into inbound_seen (carrier_id, foreign_id) select 1, i from generate_series(1, ${stored}) i`,
};

test('a round that finds nothing to remove reads a bounded part of what is stored', async () => {
  for (const statement of Object.values(fill)) await db.query(statement);
  const read = await rowsRead(db, async tx => {
    const retention = new OrderRetention(tx, 400, dayMs);
    for (let round = 0; round < 2; round++)
      for (const step of [
        () => retention.round(),
        () => receiptRetention(tx as never),
        () => retainApiLog(tx),
        () => retainParts(tx),
      ])
        await step();
  });
  for (const table of Object.keys(fill)) expect.soft(read[table], table).toBeLessThan(stored);
});

test('what is past its time is removed: receipts and doubts after three days, submits after ten by emptying the day to come', async () => {
  await db.query(`update receipts set received_at = now() - interval '4 days' where id <= 10`);
  await db.query(`update unsure set written_at = now() - interval '4 days' where message_id <= 10`);
  await db.query(`insert into submits (day, carrier_id, smsc_id, message_id, part, parts, submitted_at)
    select submit_day(now() - make_interval(days => d)), 1, d::text, d, 1, 1, now() - make_interval(days => d) from generate_series(0, 11) d`);
  await receiptRetention(db);
  const { rows } =
    await db.query(`select (select count(*) from submits) as submits, (select count(*) from receipts) as receipts,
    (select count(*) from unsure) as unsure, (select max(message_id) from submits) as oldest`);
  expect(rows).toEqual([{ submits: 11, receipts: stored - 10, unsure: stored - 10, oldest: 10 }]);
});
