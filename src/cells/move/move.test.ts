// An account goes from one database to another and back, with everything it has, and nobody works on it in two places.
import { afterAll, expect, test, vi } from 'vitest';
import { wait } from '../../../test/support/wait.ts';
import { createAuthenticate } from '../../accounts/authenticate.ts';
import { audit } from '../../audit/invariants.ts';
import { checkpointLedger } from '../../balance/checkpoints.ts';
import { silentLog } from '../../log.ts';
import { dropReceipts, takeForeignReceipts, unmatchedReceipts } from '../../receipts/foreign-receipts.ts';
import { ReceiptColumns, storeReceipts, strayRow } from '../../receipts/inbox-rows.ts';
import { meetReceipts } from '../../receipts/meet.ts';
import { headOf, openText, useContentKeys } from '../../sealing/content.ts';
import { cellOfAccount, cellOfName } from '../directory.ts';
import { guard, liftFence, putFence, unguard } from './fence.ts';
import { furnished, leftovers, rowsOf, twoCells } from './move-fixture.ts';
import { ownedIn } from './remove.ts';
import { removeLeft } from './retention.ts';
import { query } from './side.ts';

// Every table that is copied waits for transactions of all databases of the server.
vi.setConfig({ testTimeout: 180_000 });
const cells = await twoCells();
afterAll(() => cells.close());
const [home, cell] = cells.dbs;
const contentKey = Buffer.alloc(32, 7);
const account = await furnished(cells);
const before = await rowsOf(home, account.id);

test('fenced, an account is told 503 for whatever it asks, and the database refuses what is written of it all the same', async () => {
  await putFence(home, account.id, 'leaving');
  await guard(home, await ownedIn(home, account.id));
  const order = { sender: 'PEYK', message: { text: 'Şimdi', receipents: { number: ['905550000001'] } } };
  for (const operation of ['get-balance', 'send-sms'])
    expect((await account.call(operation, { order })).code).toBe(503);
  for (const text of [
    'update balances set sms = sms - 1 where account_id = $1',
    'delete from messages where account_id = $1',
    `insert into orders select * from orders where account_id = $1 limit 1`,
    'update webhook_endpoints set url = url where owner_id = $1',
  ])
    await expect(query(home, text, [account.id]), text).rejects.toMatchObject({ code: 'PK503' });
  const other = await cells.app.open({ sms: 10 });
  expect((await other.call('get-balance')).code).toBe(200);
  await liftFence(home, account.id);
  await unguard(home, account.id);
  // With its text sealed, as PEYK_CONTENT=sealed has it.
  useContentKeys(contentKey, 'sealed');
  expect((await account.call('send-sms', { order })).code).toBe(200);
  useContentKeys(contentKey, 'plain');
  Object.assign(before, await rowsOf(home, account.id));
});

test('an account moves with everything it has, and is known only where it is', async () => {
  const sums = await query(
    home,
    'select sum(sms)::int as sms, count(*)::int as entries from ledger_entries where account_id = $1',
    [account.id],
  );
  await cells.move(account, 1);
  expect(await rowsOf(cell, account.id)).toEqual(before);
  const newest = 'select text from orders where account_id = $1 order by id desc limit 1';
  const [sealed] = await query<{ text: string }>(cell, newest, [account.id]);
  expect([sealed!.text.startsWith(headOf(contentKey)), openText(sealed!.text)]).toEqual([true, 'Simdi']);
  expect(await cellOfAccount(home, account.id)).toBe(1);
  expect(await cellOfName(home, 'key', account.key)).toEqual({ accountId: account.id, cell: 1 });
  expect(await createAuthenticate(home)(account.key, account.hash, '')).toMatchObject({
    ok: false,
    cause: 'unknown-key',
  });
  expect(await createAuthenticate(cell)(account.key, account.hash, '')).toMatchObject({ ok: true });
  expect(
    await query(cell, 'select sms::int as sms, entries::int as entries from ledger_totals where account_id = $1', [
      account.id,
    ]),
  ).toEqual(sums);
  expect(await leftovers(cells)).toEqual([]);
  for (const db of cells.dbs) expect((await audit(db)).findings).toEqual([]);
});

test('a receipt that comes to the old cell is told to the new one, once', async () => {
  const [sent] = await query<{ smscId: string; message: number }>(
    home,
    `select s.smsc_id as "smscId", s.message_id as message from submits s join messages m on m.id = s.message_id
     where m.account_id = $1 order by 2 limit 1`,
    [account.id],
  );
  const told = {
    carriers: [1],
    ids: [sent!.smscId],
    statuses: [111],
    reasons: [0],
    numbers: [905550000200],
    messages: [sent!.message],
  };
  await storeReceipts(home, ...strayRow(), Object.assign(new ReceiptColumns(), told));
  const statusIn = async (db: typeof home) =>
    (
      await query<{ status: number }>(db, 'select status from messages where id = $1 and account_id = $2', [
        sent!.message,
        account.id,
      ])
    )[0]?.status;
  await meetReceipts(home, 0, silentLog);
  expect(await statusIn(home)).toBe(110);
  // As src/cells/forward.ts does.
  const late = await unmatchedReceipts(home, 0);
  expect(await takeForeignReceipts(cell, late)).toEqual(late);
  await dropReceipts(
    home,
    late.map(one => one.id),
  );
  // Told twice it does no harm.
  expect(await takeForeignReceipts(cell, late)).toEqual(late);
  expect(await statusIn(cell)).toBe(111);
  expect(await statusIn(home)).toBe(110);
  expect(await query(home, 'select 1 from receipts')).toEqual([]);
  expect(await query(cell, 'select 1 from receipts')).toEqual([]);
});

test('what an account left behind goes after its time, and not what it has where it is', async () => {
  const there = await rowsOf(cell, account.id);
  expect(await removeLeft(home)).toBe(0);
  expect(await removeLeft(home, 0)).toBe(1);
  const { accounts: kept, ...left } = await rowsOf(home, account.id);
  expect(left).toEqual({});
  expect(kept, 'the home knows it for its people').toBe(1);
  expect(await rowsOf(cell, account.id)).toEqual(there);
});

test('back again, its numbers go on behind those it had elsewhere, and its ledger is summed up whole', async () => {
  await query(cell, `insert into ledger_entries (account_id, kind, sms) values ($1, 'grant', 5)`, [account.id]);
  await query(cell, 'update balances set sms = sms + 5 where account_id = $1', [account.id]);
  await cells.move(account, 0);
  const [last] = await query<{ id: number }>(home, 'select max(id) as id from ledger_entries where account_id = $1', [
    account.id,
  ]);
  expect(last!.id).toBeGreaterThan(1e12);
  const [entry] = await query<{ id: number }>(
    home,
    `insert into ledger_entries (account_id, kind, sms) values ($1, 'grant', 7) returning id`,
    [account.id],
  );
  await query(home, 'update balances set sms = sms + 7 where account_id = $1', [account.id]);
  expect(entry!.id).toBeGreaterThan(last!.id);
  const totals = 'select sms::int as sms, entries::int as entries from ledger_totals where account_id = $1';
  const entries = 'select sum(sms)::int as sms, count(*)::int as entries from ledger_entries where account_id = $1';
  await wait('the sums to hold every entry', async () => {
    // Which entries are safe to take is known after some calls, two seconds apart: moved on by hand.
    await query(home, `update ledger_progress set seen_at = seen_at - interval '1 minute'`);
    await checkpointLedger(home);
    const [kept, true_] = [await query(home, totals, [account.id]), await query(home, entries, [account.id])];
    return JSON.stringify(kept) === JSON.stringify(true_);
  });
  const order = { sender: 'PEYK', message: { text: 'Yine evde', receipents: { number: ['905550000002'] } } };
  expect((await account.call('send-sms', { order })).code).toBe(200);
  expect((await audit(home)).findings).toEqual([]);
});
