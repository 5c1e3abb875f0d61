// Retention looks every half minute, so what it reads must not grow with what is stored.
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { rowsRead } from '../../test/support/rows-read.ts';
import { retainApiLog } from '../accounts/retention.ts';
import { dayMs } from '../db/retention.ts';
import { retainParts } from '../inbound/retention.ts';
import { OrderRetention } from './retention.ts';

const database = await testDatabase();
afterAll(() => database.close());
const db = database.pool;
const stored = 30_000;

const fill = {
  idempotency_keys: `insert into idempotency_keys (account_id, key, body_digest, order_id)
    select 1, 'k' || i, '\\x00', i from generate_series(1, ${stored}) i`,
  receipts: `insert into receipts (carrier_id, smsc_id, status, reason) select 1, i, 111, 0 from generate_series(1, ${stored}) i`,
  submissions: `insert into submissions (carrier_id, smsc_id, account_id, message_id, part, parts)
    select 1, i, 1, i, 1, 1 from generate_series(1, ${stored}) i`,
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
      for (const step of [() => retention.round(), () => retainApiLog(tx), () => retainParts(tx)]) await step();
  });
  for (const table of Object.keys(fill)) expect.soft(read[table], table).toBeLessThan(stored);
});

test('what is past its time is removed wherever it stands, in as many rounds as it takes', async () => {
  const old = `where ctid in (select ctid from %s order by ctid desc limit 10)`;
  await db.query(
    `update submissions set submitted_at = now() - interval '11 days' ${old.replace('%s', 'submissions')}`,
  );
  await db.query(`update receipts set received_at = now() - interval '4 days' where id <= 10`);
  const retention = new OrderRetention(db, 400, dayMs);
  const left = async () =>
    (await db.query(`select (select count(*) from submissions) as s, (select count(*) from receipts) as r`)).rows[0];
  for (let round = 0; round < 20; round++) await retention.round();
  expect(await left()).toEqual({ s: stored - 10, r: stored - 10 });
});
