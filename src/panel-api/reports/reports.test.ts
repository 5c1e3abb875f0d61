// Reports over time, compared with their orders.

import { afterAll, expect, test } from 'vitest';
import { openPool } from '../../db/db.ts';
import { reportDimensions } from '../contract/facts.ts';
import { inputReader } from '../contract/input.ts';
import { startPanel } from '../panel-fixture.ts';
import { reportAsked } from './contract.ts';
import { makeReport, readReportAsked } from './reports.ts';

const panel = await startPanel();
const { pool } = panel.database;
afterAll(() => panel.stop());

type Owner = Awaited<ReturnType<typeof panel.owner>>;
type End = [status: number, reason: number, number: number | null];
type Seeded = { sender?: string; source?: string; state?: string; daysAgo?: number; plannedDays?: number; ends: End[] };

const turkcell = 905_320_000_001;
const vodafone = 905_420_000_001;
let nextId = 1_000_000;

/** An order after its messages ended this way; `plannedDays`: how long after its submission it leaves. */
async function seed(owner: Owner, one: Seeded): Promise<number> {
  const { sender = 'APITEST', source = 'api', state = 'finished', daysAgo = 0, plannedDays = 0, ends } = one;
  const count = (status: number) => ends.filter(end => end[0] === status).length;
  const id = ++nextId * 1_000;
  await pool.query(
    `insert into orders (id, account_id, sender, lane, source, state, total, delivered, undelivered, consumed, reserved,
       first_message_id, submit_at, send_at, close_after, fingerprint, text, encoding, parts)
     select $1::bigint, $2, $3, 0, $4, $5, $6, $7::integer, $8, $7::integer, $9, $1::bigint, t.at, t.at + make_interval(days => $11), now(), 1, 'x', 0, 1
     from (select now() - make_interval(days => $10) as at) t`,
    [id, owner.accountId, sender, source, state, ends.length, count(111), count(112), count(110), daysAgo, plannedDays],
  );
  await pool.query(
    `insert into messages (id, account_id, order_id, number, text_no, credits, status, reason, final_at)
     select $1::bigint + u.ord - 1, $2, $1::bigint, u.number, 1, 1, u.status, u.reason, now()
     from unnest($3::smallint[], $4::smallint[], $5::bigint[]) with ordinality u(status, reason, number, ord)`,
    [id, owner.accountId, ends.map(end => end[0]), ends.map(end => end[1]), ends.map(end => end[2])],
  );
  return id;
}

const readAsked = inputReader(reportAsked);
const whole = (one: { total: number }[]) => one.reduce((sum, { total }) => sum + total, 0);
const reportOf = (owner: Owner, input: Record<string, string>) =>
  makeReport(
    { db: pool, account: { id: owner.accountId } as never },
    readReportAsked(readAsked(input), new Date()),
    new Date(),
  );

test('whatever a report is cut by, its rows add up to the orders', async () => {
  const owner = await panel.owner();
  const user = (await pool.query('select id from users where email = $1', [owner.email])).rows[0].id;
  await seed(owner, {
    ends: [
      [111, 0, turkcell],
      [112, 10, vodafone],
      [112, 2, turkcell],
    ],
  });
  await seed(owner, {
    sender: 'FIRMA',
    source: `panel:${user}`,
    daysAgo: 3,
    ends: [
      [111, 0, vodafone],
      [112, 1, null],
    ],
  });
  await seed(owner, { sender: 'FIRMA', daysAgo: 20, ends: [[111, 0, turkcell]] });
  await seed(owner, {
    state: 'sending',
    ends: [
      [110, 0, turkcell],
      [111, 0, vodafone],
    ],
  });
  // None of these was sent in the span.
  await seed(owner, { daysAgo: 40, ends: [[111, 0, turkcell]] });
  await seed(owner, { state: 'cancelled', ends: [[112, 9, turkcell]] });
  await seed(owner, { state: 'scheduled', plannedDays: 2, ends: [[110, 0, turkcell]] });
  const { rows } = await pool.query(
    `select count(*)::int as orders, sum(total)::int as total, sum(delivered)::int as delivered,
       sum(consumed + reserved)::int as credits from orders
     where account_id = $1 and state not in ('cancelled', 'scheduled') and send_at > now() - interval '30 days'`,
    [owner.accountId],
  );
  const sums = { ...rows[0], undelivered: 1, filtered: 2, waiting: 1 };
  const { orders30Days } = await (await panel.staff()).ok('staff.account', { id: owner.accountId });
  const { orders, total, delivered, undelivered } = sums;
  expect(orders30Days, 'as staff see it').toEqual({ orders, total, delivered, undelivered, isComplete: true });
  for (const by of reportDimensions) {
    const report = await owner.ok('reports.read', { by });
    expect(report.sums, by).toEqual(sums);
    expect(report.isComplete).toBe(true);
    for (const figure of ['total', 'delivered', 'undelivered', 'filtered', 'waiting', 'credits'] as const)
      expect(
        report.rows.reduce((sum, row) => sum + row[figure], 0),
        `${by} ${figure}`,
      ).toBe(sums[figure]);
    if (by !== 'operator')
      expect(
        report.rows.reduce((sum, row) => sum + row.orders!, 0),
        by,
      ).toBe(sums.orders);
  }
  const byUser = (await owner.ok('reports.read', { by: 'user' })).rows;
  expect(byUser.map(row => [row.who ?? row.key, row.total])).toEqual([
    ['api', 6],
    [owner.email, 2],
  ]);
  const byOperator = (await owner.ok('reports.read', { by: 'operator' })).rows;
  expect(byOperator.map(row => [row.key, row.total, row.orders])).toEqual([
    ['turkcell', 4, null],
    ['vodafone', 3, null],
    ['none', 1, null],
  ]);
});

test('a planned order counts on the day it leaves, and a cancelled one on none', async () => {
  const owner = await panel.owner();
  await seed(owner, { daysAgo: 5, plannedDays: 2, ends: [[111, 0, turkcell]] });
  const { rows } = await pool.query('select send_at from orders where account_id = $1', [owner.accountId]);
  const day = new Date(rows[0].send_at.getTime() + 3 * 3_600_000).toISOString().slice(0, 10);
  const report = await owner.ok('reports.read', { by: 'day' });
  expect(report.rows.map(row => [row.key, row.delivered])).toEqual([[day, 1]]);
  expect(whole((await owner.ok('reports.read', { by: 'day', from: day, to: day })).rows)).toBe(1);
});

test('what is planned or cancelled is not counted among today', async () => {
  const owner = await panel.owner();
  await owner.ok('send.submit', {
    sender: 'APITEST',
    text: 'yarın',
    recipients: ['5320000001'],
    sendAt: '2030-01-01 10:00',
    commercial: false,
    idempotencyKey: 'anahtar-1',
  });
  await seed(owner, { state: 'cancelled', ends: [[112, 9, turkcell]] });
  await seed(owner, { ends: [[111, 0, turkcell]] });
  const overview = await owner.ok('overview.read', { period: '7d' });
  expect(overview.today).toMatchObject({ total: 1, delivered: 1, queued: 0, filtered: 0 });
  expect(overview.series.reduce((sum, one) => sum + one.waiting + one.filtered, 0)).toBe(0);
});

test('an hour that was counted is counted anew after a late report corrected one of its orders', async () => {
  const owner = await panel.owner();
  const id = await seed(owner, {
    daysAgo: 2,
    ends: [
      [112, 14, turkcell],
      [111, 0, vodafone],
    ],
  });
  expect((await reportOf(owner, { by: 'sender' })).sums).toMatchObject({ delivered: 1, undelivered: 1, credits: 1 });
  await pool.query(`select settle(array[$1::bigint], '{111}', '{0}')`, [id]);
  for (const _ of [1, 2])
    expect((await reportOf(owner, { by: 'operator' })).sums).toMatchObject({
      delivered: 2,
      undelivered: 0,
      credits: 2,
    });
});

test('an export of a report has its rows and its total', async () => {
  const owner = await panel.owner();
  await seed(owner, {
    ends: [
      [111, 0, turkcell],
      [112, 10, turkcell],
      [112, 10, turkcell],
    ],
  });
  await seed(owner, { sender: 'FIRMA', daysAgo: 1, ends: [[111, 0, vodafone]] });
  const { body } = await owner.get('/panel/api/export/report?format=csv&language=tr&by=sender', {
    'x-peyk-panel': '1',
  });
  expect(body.split('\r\n').slice(1, 4)).toEqual([
    'APITEST;1;3;1;2;0;0;33,3;1',
    'FIRMA;1;1;1;0;0;0;100;1',
    'Toplam;2;4;2;2;0;0;50;2',
  ]);
});

test('a report of a year reads neither orders nor messages once they are counted', async () => {
  const owner = await panel.owner();
  const orders = 1_500;
  await pool.query(
    `insert into orders (id, account_id, sender, lane, source, state, total, delivered, first_message_id, submit_at, send_at,
       close_after, fingerprint, text, encoding, parts)
     select 100 + i, $1, 'APITEST', 0, 'api', 'finished', 1, 1, 100 + i, t.at, t.at, now(), i, 'x', 0, 1
     from generate_series(1, $2::integer) i, lateral (select now() - make_interval(hours => 2 + i * 2) as at) t`,
    [owner.accountId, orders],
  );
  await pool.query(
    `insert into messages (id, account_id, order_id, number, text_no, credits, status, reason, final_at)
     select 100 + i, $1, 100 + i, 905320000000 + i, 1, 1, 111, 0, now() from generate_series(1, $2::integer) i`,
    [owner.accountId, orders],
  );
  const from = new Date(Date.now() - 399 * 86_400_000).toISOString().slice(0, 10);
  let report = await reportOf(owner, { by: 'month', from });
  for (let tries = 1; !report.isComplete && tries < 20; tries++) report = await reportOf(owner, { by: 'month', from });
  expect(report.sums).toMatchObject({ orders, total: orders, delivered: orders });
  const before = await rowsRead();
  // A session publishes its statistics when it ends.
  const session = openPool(panel.database.connection, { max: 1, name: 'peyk test', onError: () => {} });
  const again = await makeReport(
    { db: session, account: { id: owner.accountId } as never },
    readReportAsked(readAsked({ by: 'sender', from }), new Date()),
    new Date(),
  );
  await session.end();
  expect(again.sums).toEqual(report.sums);
  const after = await rowsRead();
  for (const table of ['messages', 'orders']) expect.soft(after[table]! - before[table]!, table).toBeLessThan(50);
});

async function rowsRead(): Promise<Record<string, number>> {
  await pool.query('select pg_stat_force_next_flush()');
  const { rows } = await pool.query<{ name: string; read: number }>(
    `select relname as name, coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as read from pg_stat_user_tables
     where relname in ('messages', 'orders')`,
  );
  return Object.fromEntries(rows.map(row => [row.name, row.read]));
}
