// Retention looks every half minute, so what it reads must not grow with what is stored.
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database/database.ts';
import { rowsRead } from '../../test/support/database/rows-read.ts';
import { dayMs, removeOlder } from '../db/retention.ts';
import { orderRetention } from '../orders/retention.ts';
import { receiptRetention } from '../receipts/retention.ts';
import { prune } from '../webhooks/retention.ts';
import { retentionSteps } from './registry.ts';

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
  inbound_unrouted: `insert into inbound_unrouted (carrier_id, sender, recipient, text)
    select 1, i, 'b', 'x' from generate_series(1, ${stored}) i`,
  inbound_messages: `insert into inbound_messages (account_id, number_text, recipient, text, received_at)
    select 1, 'a', 'b', 'x', now() from generate_series(1, ${stored}) i`,
  sms_codes: `insert into sms_codes (purpose, subject, created_at, expires_at)
    select 'reset', i, now(), now() from generate_series(1, ${stored}) i`,
  attempts: `insert into attempts (name, count, first_at, last_at, until)
    select i, 1, now(), now(), now() from generate_series(1, ${stored}) i`,
  webhook_outbox: `insert into webhook_outbox (account_id, kind) select 1 - 2 * (i % 2), 'final' from generate_series(1, ${stored}) i`,
  webhook_deliveries: `insert into webhook_deliveries (account_id, outbox_id, subject_id, kind, event, state, next_at, expires_at, created_at)
    select 1, i, i, 'final', 'delivered', 'given-up', now(), now(), now() from generate_series(1, ${stored}) i`,
  inbound_seen: `insert into inbound_seen (carrier_id, foreign_id) select 1, i from generate_series(1, ${stored}) i`,
};

test('a round that finds nothing to remove reads a bounded part of what is stored', async () => {
  for (const statement of Object.values(fill)) await db.query(statement);
  await db.query(`insert into webhook_endpoints (account_id, url) values (-1, 'https://hook.example/a')`);
  // As autovacuum does it: until then blocks have no summary of their times.
  await db.query('vacuum webhook_deliveries, inbound_messages');
  const read = await rowsRead(db, async tx => {
    for (let round = 0; round < 2; round++)
      for (const step of [
        () => orderRetention(tx, 400, dayMs),
        () => receiptRetention(tx as never),
        () => removeOlder(tx, retentionSteps(), { inbound: 400 * dayMs }),
        () => prune(tx as never),
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

test('messages from phones go after the operator’s days, sessions, codes and counted tries after a day', async () => {
  const old = {
    inbound_messages: 'received_at',
    inbound_unrouted: 'received_at',
    sms_codes: 'created_at',
    attempts: 'last_at',
  };
  for (const [table, column] of Object.entries(old))
    await db.query(
      `update ${table} set ${column} = now() - interval '8 days' where ctid in (select ctid from ${table} order by ctid limit 10)`,
    );
  await removeOlder(db, retentionSteps(), { inbound: 7 * dayMs });
  for (const table of Object.keys(old)) {
    const { rows } = await db.query(`select count(*) as n from ${table}`);
    expect.soft(rows[0].n, table).toBe(stored - 10);
  }
});

test('what is left after a round’s pieces of webhook deliveries is removed by the next, a second later', async () => {
  await db.query(`update webhook_deliveries set created_at = now() - interval '15 days'`);
  expect(await prune(db)).toBe(1_000);
  expect(await prune(db)).toBeUndefined();
  expect((await db.query('select 1 from webhook_deliveries')).rowCount).toBe(0);
});
