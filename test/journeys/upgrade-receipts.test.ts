// Receipts that 0.2.0 kept for SMPP customers, up to 100 in a row with a bit for each that was answered: migration 0240 makes a row of each.
// The rows are stored, answered in part and put off by the functions of 0.2.0, and compared with what 0.2.0 would still have sent.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test as testOf } from 'vitest';
import type { Db } from '../../src/db/db.ts';
import { migrate } from '../../src/db/migrate.ts';
import { silentLog } from '../../src/log.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { builtRelease, isInHistory, lastBeforeStop } from '../support/program/previous-release.ts';
import { temporaryFolder } from '../support/run/temporary-folder.ts';

const isHere = isInHistory(lastBeforeStop);
const test = testOf.skipIf(!isHere);

type Receipt = { user: number; id: number; status: number; reason: number; number: string; sender: string };
const node = 77;
const [all, failures] = [5_001, 5_002];
const account = 1_900;
const firstOrder = 10_000;
const firstMessage = 50_000;
let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  if (!isHere) return;
  database = await testDatabase({ empty: true });
  db = database.pool;
  const env = {
    ...process.env,
    DATABASE_URL: database.url,
    PEYK_DATA: join(temporaryFolder(), 'data'),
    PEYK_SECRET_KEY: randomBytes(32).toString('base64'),
    PEYK_TEST_BUILT: '1',
  };
  execFileSync(process.execPath, [join(builtRelease(lastBeforeStop), 'bin', 'peyk'), 'migrate'], {
    env,
    stdio: 'pipe',
  });
});

afterAll(() => database?.close());

const query = async <Row>(text: string, values: unknown[] = []) => (await db.query(text, values)).rows as Row[];

/** An order whose messages each have an id of their own for the customer, and all of them ended: every fifth undelivered. */
async function ended(nth: number, total: number, origin: object): Promise<void> {
  const [order, first] = [firstOrder + nth * 1_000, firstMessage + nth * 1_000];
  await query(
    `with o as (
       insert into orders (id, account_id, sender, lane, source, state, total, first_message_id, submit_at, send_at, close_after, fingerprint,
         text, encoding, parts, smpp)
       values ($1, $2, 'PEYK', 0, 'smpp', 'sending', $3, $4, '2026-01-02 03:04:05Z', now(), now(), 0, 'x', 0, 1, $5))
     insert into messages (id, account_id, order_id, number, text_no, credits, status, reason, final_at)
     select $4 + g, $2, $1, 905550000000 + $4 + g, 1, 1, case when g % 5 = 4 then 112 else 111 end, case when g % 5 = 4 then 6 else 0 end, now()
     from generate_series(0, $3 - 1) g`,
    [order, account, total, first, JSON.stringify(origin)],
  );
}

/** As 0.2.0 does for the messages of one transaction. */
const keep = (orders: number[]) =>
  query(
    `select smpp_owe_each_1(array_agg(o.id order by m.id), array_agg(m.id order by m.id), array_agg(m.status order by m.id),
       array_agg(m.reason order by m.id), array_agg(o.smpp order by m.id))
     from orders o join messages m on m.order_id = o.id and m.account_id = o.account_id where o.id = any ($1)`,
    [orders.map(nth => firstOrder + nth * 1_000)],
  );

type Bundle = {
  id: number;
  user_id: number;
  told: string | null;
  places: number[];
  smpp_ids: number[];
  statuses: number[];
  reasons: number[];
  numbers: string[];
  senders: string[];
};

/** What 0.2.0 takes for its binds: whole bundles, and in each what is not answered. */
async function taken(): Promise<Bundle[]> {
  await query('update smpp_bundles set node_id = null');
  const found = await query<Bundle>('select * from smpp_take_2($1, $2, $3)', [node, [all, failures], [1_000, 1_000]]);
  return found.filter(one => one.told !== null);
}

const sorted = (receipts: Receipt[]) => receipts.toSorted((a, b) => a.user - b.user || a.id - b.id);

test('each receipt in shared rows of 0.2.0 that was not answered is pending alone after the upgrade, and no other', async () => {
  await query(`insert into accounts (id, name) values ($1, 'SMPP')`, [account]);
  await query(
    `insert into smpp_users (id, account_id, system_id, digest) overriding system value
     values ($1, $3, 'all', '\\x00'), ($2, $3, 'failures', '\\x01')`,
    [all, failures, account],
  );
  await ended(1, 250, { u: all, r: '1', each: 1 });
  await keep([1]);
  await ended(2, 40, { u: all, r: '1', each: 1 });
  await ended(3, 40, { u: failures, r: '2', each: 1 });
  await ended(4, 40, { u: all, r: '0', each: 1 });
  await keep([2, 3, 4]);
  await ended(5, 3, { u: all, r: '1', each: 1 });
  await keep([5]);
  const before = await taken();
  expect(before.map(one => one.places.length)).toEqual([100, 100, 50, 40, 3, 8]);
  // Answered: every third of the first, all of the second; one of the third waits alone; the order of the fifth is removed.
  const bits = Array.from({ length: 100 }, (_, i) => (i % 3 === 0 ? '1' : '0')).join('');
  const [first, second, third] = before;
  await query('select smpp_end_1($1, $2, $3, $4)', [[], [second!.id], [first!.id], [bits]]);
  await query('select smpp_put_off_1($1, $2, $3, $4)', [node, [third!.id], [7], [60_000]]);
  await query('delete from orders where id = $1', [firstOrder + 5_000]);

  const left = (await taken()).flatMap(one =>
    (one.smpp_ids ?? []).map((id, i) => ({
      user: Number(one.user_id),
      id: Number(id),
      status: one.statuses[i]!,
      reason: one.reasons[i]!,
      number: one.numbers[i]!,
      sender: one.senders[i]!,
    })),
  );
  const waiting = { user: all, id: third!.smpp_ids[7]!, status: third!.statuses[7]!, reason: third!.reasons[7]! };
  expect(left).toHaveLength(66 + 49 + 40 + 8);

  await migrate(database.connection, silentLog);

  const alone = await query(
    `select user_id::int as user, smpp_id::int as id, status, reason from smpp_outbox where due_at > now() + interval '20 seconds'`,
  );
  expect(alone).toEqual([waiting]);
  const now = await query<Receipt>(
    `select user_id::int as user, smpp_id::int as id, status, reason, number, sender from smpp_take($1, $2, $3)`,
    [node, [all, failures], [1_000, 1_000]],
  );
  expect(sorted(now)).toEqual(sorted(left));
});
