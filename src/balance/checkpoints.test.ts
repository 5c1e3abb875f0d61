// Checkpoints of the ledger: sums over the entries up to an id, taken in steps, never past an entry that is not committed yet.
import { afterAll, beforeEach, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database/database.ts';
import { openAccount } from '../accounts/open.ts';

const database = await testDatabase();
const db = database.pool;
afterAll(() => database.close());

const every = 3;
type Progress = { through: number; safe: number; seen: number; isOpen: boolean };

const step = async (ids: number, entriesEach = every): Promise<number> =>
  (await db.query('select checkpoint_ledger($1, $2) as taken', [ids, entriesEach])).rows[0].taken;
const progress = async (): Promise<Progress> =>
  (
    await db.query(
      'select through_id as through, safe_id as safe, seen_id as seen, seen_xid is null as "isOpen" from ledger_progress',
    )
  ).rows[0];
const lastId = async (): Promise<number> =>
  (await db.query('select last_value as id from ledger_entries_id_seq')).rows[0].id;
/** As if the calls that find out which entries are committed had been done. */
const trustAll = async () =>
  db.query('update ledger_progress set safe_id = $1, seen_id = $1, seen_xid = null', [await lastId()]);

/** An entry every day, each of another size; returns the account. */
async function account(entries = 0): Promise<number> {
  const { id } = await openAccount(db, 'Deneme');
  for (let i = 0; i < entries; i++) await entry(id);
  return id;
}
let entered = 0;
async function entry(accountId: number, client: { query: typeof db.query } = db): Promise<void> {
  entered++;
  await client.query(
    `insert into ledger_entries (account_id, kind, sms, created_at) values ($1, 'grant', $2::bigint, '2026-01-01Z'::timestamptz + $2::bigint * interval '1 day')`,
    [accountId, entered],
  );
}

/** What sums and checkpoints have to be after the entries up to this id, from the entries themselves. */
async function truth(through: number) {
  const { rows } = await db.query(
    `select account_id as account, id, sms::int, created_at as at from ledger_entries where id <= $1 order by account_id, id`,
    [through],
  );
  const totals = new Map<number, { account: number; sms: number; entries: number }>();
  const checkpoints = [];
  for (const { account, id, sms, at } of rows) {
    const total = totals.get(account) ?? { account, sms: 0, entries: 0 };
    totals.set(account, { account, sms: total.sms + sms, entries: total.entries + 1 });
    if ((total.entries + 1) % every === 0) checkpoints.push({ account, id, sms: total.sms + sms, at });
  }
  return { totals: [...totals.values()], checkpoints };
}
async function stored() {
  const totals = 'select account_id as account, sms::int, entries::int from ledger_totals order by 1';
  const checkpoints =
    'select account_id as account, through_id as id, sms::int, at from ledger_checkpoints order by account_id, through_id';
  return { totals: (await db.query(totals)).rows, checkpoints: (await db.query(checkpoints)).rows };
}

beforeEach(async () => {
  for (const table of ['ledger_entries', 'ledger_totals', 'ledger_checkpoints']) await db.query(`delete from ${table}`);
  await db.query(
    `update ledger_progress set through_id = n, safe_id = n, seen_id = n, seen_xid = null from nextval('ledger_entries_id_seq') n`,
  );
});

test('each step takes so many ids at most, and sums and checkpoints are those of the entries up to there', async () => {
  const [first, second] = [await account(7), await account()];
  for (let i = 0; i < 9; i++) await entry(i % 3 ? second : first);
  await trustAll();
  let { through } = await progress();
  const last = await lastId();
  while (through < last) {
    expect(await step(4)).toBe(Math.min(4, last - through));
    through = Math.min(through + 4, last);
    expect((await progress()).through).toBe(through);
    expect(await stored()).toEqual(await truth(through));
  }
  expect(await step(4)).toBe(0);
  expect(await stored()).toEqual(await truth(last));
});

test('a step larger than the distance between checkpoints sets all of them', async () => {
  await account(20);
  await account(5);
  await trustAll();
  expect(await step(1_000)).toBe(27);
  expect(await stored()).toEqual(await truth(await lastId()));
  await account(4);
  await trustAll();
  expect(await step(1_000)).toBe(5);
  expect(await stored()).toEqual(await truth(await lastId()));
});

test('ids that jump by millions of millions are passed over in few steps, and no entry is left out', async () => {
  const id = await account(5);
  for (const gap of [1_000_000_000_000, 7, 40, 300, 1_000_000_000_000]) {
    await db.query(`select setval('ledger_entries_id_seq', nextval('ledger_entries_id_seq') + $1)`, [gap]);
    await entry(id);
    await entry(id);
  }
  await trustAll();
  const last = await lastId();
  let steps = 0;
  for (; (await progress()).through < last; steps++) {
    expect(steps).toBeLessThan(40);
    expect(await step(10)).toBeGreaterThan(0);
    expect(await stored()).toEqual(await truth((await progress()).through));
  }
  expect(await stored()).toEqual(await truth(last));
  expect(steps).toBeGreaterThan(4);
});

test('an entry is taken wherever it lies behind a gap', async () => {
  const id = await account();
  for (let gap = 0; gap < 60; gap++) {
    await db.query(`select setval('ledger_entries_id_seq', nextval('ledger_entries_id_seq') + $1)`, [gap]);
    await entry(id);
  }
  await trustAll();
  const last = await lastId();
  while ((await progress()).through < last) expect(await step(4)).toBeGreaterThan(0);
  expect(await stored()).toEqual(await truth(last));
});

test('a step across a gap takes no more entries than one without', async () => {
  const id = await account();
  await db.query(`select setval('ledger_entries_id_seq', nextval('ledger_entries_id_seq') + 1000)`);
  for (let i = 0; i < 60; i++) await entry(id);
  await trustAll();
  const last = await lastId();
  for (let before = 0; (await progress()).through < last; ) {
    expect(await step(10)).toBeGreaterThan(0);
    const entries = (await stored()).totals[0].entries as number;
    expect(entries - before).toBeLessThanOrEqual(10);
    before = entries;
  }
  expect(await stored()).toEqual(await truth(last));
});

test('a step across a gap ends where entries are known to be committed', async () => {
  const id = await account();
  await db.query(`select setval('ledger_entries_id_seq', nextval('ledger_entries_id_seq') + 30)`);
  const safe = await lastId();
  for (let i = 0; i < 3; i++) await entry(id);
  await db.query(
    `update ledger_progress set safe_id = $1::bigint, seen_id = $1::bigint + 1, seen_xid = null, seen_at = now() + interval '1 hour'`,
    [safe],
  );
  while ((await progress()).through < safe) expect(await step(10)).toBeGreaterThan(0);
  expect(await step(10)).toBe(0);
  expect(await progress()).toMatchObject({ through: safe });
  expect(await stored()).toEqual(await truth(safe));
});

test('entries that came with an account from another cell are in its sums already', async () => {
  const id = await account(4);
  await db.query('insert into ledger_totals (account_id, sms, entries, through_id) values ($1, 1000, 50, $2)', [
    ...[id, await lastId()],
  ]);
  await entry(id);
  await entry(id);
  const sum = 1_000 + entered + (entered - 1);
  await trustAll();
  await step(100);
  const { totals, checkpoints } = await stored();
  expect(totals).toEqual([{ account: id, sms: sum, entries: 52 }]);
  expect(checkpoints).toMatchObject([{ account: id, sms: sum - entered }]);
});

test('while one process takes a step, another does nothing', async () => {
  await account(3);
  await trustAll();
  const client = await db.connect();
  await client.query('begin');
  expect((await client.query('select checkpoint_ledger(100, 3) as taken')).rows).toEqual([{ taken: 4 }]);
  expect(await step(100)).toBe(0);
  await client.query('commit');
  client.release();
  expect(await stored()).toEqual(await truth(await lastId()));
});

test('entries are taken once every transaction that could have an earlier id is over, and no sooner', async () => {
  const id = await account(2);
  const before = await progress();
  const client = await db.connect();
  await client.query('begin');
  await entry(id, client);
  await entry(id);
  const seen = await lastId();
  // The entries that exist are noted; their transactions are asked for two seconds later.
  await step(100);
  await step(100);
  expect(await progress()).toEqual({ ...before, seen, isOpen: true });
  await entry(id);
  await db.query(`update ledger_progress set seen_at = now() - interval '3 s'`);
  await step(100);
  for (let i = 0; i < 3; i++) expect(await step(100)).toBe(0);
  expect(await progress()).toEqual({ ...before, seen, isOpen: false });
  await client.query('commit');
  client.release();
  expect(await step(100)).toBe(5);
  expect(await progress()).toMatchObject({ through: seen, safe: seen });
  expect(await stored()).toEqual(await truth(seen));
});
