// An account moves from one database to another and back with all its rows, and is never active in both.
import { afterAll, expect, test, vi } from 'vitest';
import { wait } from '../../../test/support/run/wait.ts';
import { createAuthenticate } from '../../accounts/authenticate.ts';
import { audit } from '../../audit/invariants.ts';
import { checkpointLedger } from '../../balance/checkpoints.ts';
import { addToBlacklist } from '../../blacklist/blacklist.ts';
import { silentLog } from '../../log.ts';
import { cancelOrder } from '../../orders/cancel.ts';
import { claimChunks } from '../../queue/claim.ts';
import { dropReceipts, takeForeignReceipts, unmatchedReceipts } from '../../receipts/foreign-receipts.ts';
import { ReceiptColumns, storeReceipts, strayRow } from '../../receipts/inbox-rows.ts';
import { resolveReceipts } from '../../receipts/resolve.ts';
import { headOf, openText, useContentKeys } from '../../sealing/content.ts';
import { cellOfAccount, cellOfName } from '../directory.ts';
import { words } from './move.ts';
import { accountWithEverything, digestOf, leftovers, rowsOf, twoCells } from './move-fixture.ts';
import { moveAccount } from './mover.ts';
import { query } from './side.ts';

vi.setConfig({ testTimeout: 120_000 });
const cells = await twoCells();
afterAll(() => cells.close());
const [home, cell] = cells.dbs;
const contentKey = Buffer.alloc(32, 7);
const account = await accountWithEverything(cells);
const order = (text: string, number: string) => ({
  sender: 'PEYK',
  message: { text, receipents: { number: [number] } },
});

/** How many chunks of the account a dispatcher can claim. */
async function claimed(db: typeof home): Promise<number> {
  const [owner] = await query<{ id: number }>(db, "insert into dispatchers (node) values ('test') returning id");
  const chunks = await claimChunks(db, owner!.id, 0, [{ id: account.id, mark: 1 }], { messages: 100 });
  return chunks.filter(one => one.chunkId !== null).length;
}

test('while it moves an account gets 503 for every call, none of its chunks is claimed, and other accounts continue', async () => {
  const [status] = await query<{ status: string }>(home, 'select status from accounts where id = $1', [account.id]);
  const set = (to: string) =>
    query(home, 'update accounts set status = $2, stamp = stamp + 1 where id = $1', [account.id, to]);
  // Texts are sealed, as with PEYK_CONTENT=sealed, and cached by the server.
  useContentKeys(contentKey, 'sealed');
  expect((await account.call('send-sms', { order: order('Şimdi', '905550000001') })).code).toBe(200);
  useContentKeys(contentKey, 'plain');
  await set('moving');
  for (const operation of ['get-balance', 'send-sms'])
    expect((await account.call(operation, { order: order('Sonra', '905550000002') })).code).toBe(503);
  expect(await claimed(home)).toBe(0);
  const other = await cells.app.open({ sms: 10 });
  expect((await other.call('get-balance')).code).toBe(200);
  await set(status!.status);
  expect((await account.call('get-balance')).code).toBe(200);
});

test('an account moves with all its rows, and only its new cell knows it', async () => {
  const before = await digestOf(home, account.id);
  const rows = await rowsOf(home, account.id);
  await cells.move(account, 1);
  expect(await rowsOf(cell, account.id)).toEqual(rows);
  expect(await digestOf(cell, account.id)).toEqual(before);
  expect(await rowsOf(home, account.id), 'the home knows it for its people').toEqual({ accounts: 1 });
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
  ).toEqual(
    await query(
      cell,
      'select sum(sms)::int as sms, count(*)::int as entries from ledger_entries where account_id = $1',
      [account.id],
    ),
  );
  expect(await leftovers(cells)).toEqual([]);
  for (const db of cells.dbs) expect((await audit(db)).findings).toEqual([]);
});

test('a receipt that comes to the old cell is forwarded to the new one once, whether its dispatcher knew the message or not', async () => {
  const sent = await query<{ smscId: string; message: number; number: number }>(
    cell,
    `select s.smsc_id as "smscId", s.message_id as message, m.number from submits s join messages m on m.id = s.message_id
     where m.account_id = $1 and m.status = 110 order by 2 desc limit 2`,
    [account.id],
  );
  const sentLate = {
    carriers: [1, 1],
    ids: sent.map(one => one.smscId),
    statuses: [111, 111],
    reasons: [0, 0],
    numbers: sent.map(one => one.number),
    messages: [sent[0]!.message, 0],
  };
  await storeReceipts(home, ...strayRow(), Object.assign(new ReceiptColumns(), sentLate));
  const statusesIn = async (db: typeof home) =>
    (
      await query<{ status: number }>(db, 'select status from messages where id = any ($1) and account_id = $2', [
        sent.map(one => one.message),
        account.id,
      ])
    ).map(one => one.status);
  await resolveReceipts(home, 0, silentLog);
  // As src/cells/forward.ts does.
  const late = await unmatchedReceipts(home, 0);
  expect(late.map(one => one.smscId).sort()).toEqual([...sentLate.ids].sort());
  expect(await takeForeignReceipts(cell, late)).toEqual(late);
  await dropReceipts(
    home,
    late.map(one => one.id),
  );
  // Forwarding it twice changes nothing.
  expect(await takeForeignReceipts(cell, late)).toEqual(late);
  expect(await statusesIn(cell)).toEqual([111, 111]);
  for (const db of cells.dbs) expect(await query(db, 'select 1 from receipts')).toEqual([]);
});

test('rows that are written in the old cell while the account leaves follow it', async () => {
  const late = 905550008888;
  await cells.move(account, 0, what => {
    if (what === words.goesOn) void addToBlacklist(cell, account.id, late, 'panel');
  });
  const there = 'select 1 from blacklist_entries where account_id = $1 and number = $2';
  expect(await query(home, there, [account.id, late])).toHaveLength(1);
  expect(await rowsOf(cell, account.id)).toEqual({});
  await cells.move(account, 1);
});

test('after its return ids continue after those of the other cell, and the sums of its ledger are complete', async () => {
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
    // The sums use entries that were seen by several calls, two seconds apart: the test sets the time back.
    await query(home, `update ledger_progress set seen_at = seen_at - interval '1 minute'`);
    await checkpointLedger(home);
    const [kept, true_] = [await query(home, totals, [account.id]), await query(home, entries, [account.id])];
    return JSON.stringify(kept) === JSON.stringify(true_);
  });
  expect((await account.call('send-sms', { order: order('Yine evde', '905550000002') })).code).toBe(200);
  expect((await audit(home)).findings).toEqual([]);
});

test('a move waits for messages that are being sent, and the account stays in its cell if they do not end', async () => {
  const rows = await rowsOf(home, account.id);
  const lease = 'update chunks set lease_owner = $2, lease_token = 1 where account_id = $1';
  await query(home, lease, [account.id, 1]);
  const patience = { leasesMs: 200, olderMs: 200, betweenMs: 50 };
  const early = moveAccount(cells.parts, account.id, 1, 'test', () => {}, patience);
  await expect(early).rejects.toThrow('still being sent to carriers; the account goes on where it is');
  expect((await account.call('get-balance')).code).toBe(200);
  expect(await rowsOf(home, account.id)).toEqual(rows);
  const moved = cells.move(account, 1, what => {
    if (what === words.waits) setTimeout(() => void query(home, lease, [account.id, null]), 200);
  });
  await moved;
  expect(await rowsOf(cell, account.id)).toEqual(rows);
  expect(await rowsOf(home, account.id)).toEqual({ accounts: 1 });
  expect(await leftovers(cells)).toEqual([]);
});

test('an account moves into a schema of another database and back, with messages that ended while it was copied', async ({
  onTestFinished,
}) => {
  const others = await twoCells('cell_one');
  onTestFinished(() => others.close());
  const [from, to] = others.dbs;
  const moving = await accountWithEverything(others);
  const [large] = await query<{ id: number }>(from, 'select id from orders where account_id = $1 and total = 40', [
    moving.id,
  ]);
  let settled: Promise<void> | undefined;
  await others.move(moving, 1, what => {
    // Its first round is over; those that ended are copied in the next, or go with the rest.
    if (what.startsWith('copying')) settled ??= others.app.settle(moving, String(large!.id), 111, 30);
  });
  await settled;
  const statuses =
    'select status, count(*)::int as count from messages where account_id = $1 and order_id = $2 group by 1 order by 1';
  expect(await query(to, statuses, [moving.id, large!.id])).toEqual([
    { status: 110, count: 10 },
    { status: 111, count: 30 },
  ]);
  for (const db of others.dbs) expect((await audit(db)).findings).toEqual([]);
  const digest = await digestOf(to, moving.id);
  await others.move(moving, 0);
  expect(await digestOf(from, moving.id)).toEqual(digest);
  expect(await rowsOf(to, moving.id)).toEqual({});
  expect(await leftovers(others)).toEqual([]);
});

test('messages of scheduled orders are copied before the account waits; an order that starts meanwhile moves with its outcome', async ({
  onTestFinished,
}) => {
  const others = await twoCells();
  onTestFinished(() => others.close());
  const [from, to] = others.dbs;
  const moving = await accountWithEverything(others);
  const scheduled = async (first: number) =>
    Number(
      await moving.send({
        sender: 'PEYK',
        message: {
          text: 'Sonra {{to}}',
          receipents: { number: Array.from({ length: 60 }, (_, i) => String(905550100000 + first + i)) },
        },
        sendDateTime: '01/01/2099 10:00',
      }),
    );
  const [stays, starts, cancelled] = [await scheduled(0), await scheduled(100), await scheduled(200)];
  const statuses = (db: typeof from, id: number) =>
    query(db, 'select status, count(*)::int as count from messages where order_id = $1 group by 1 order by 1', [id]);
  // Leased, so that the mover waits until the rest is done.
  const lease = (owner: number | null) =>
    query(from, 'update chunks set lease_owner = $2, lease_token = 1 where account_id = $1', [moving.id, owner]);
  await lease(1);
  let copied: unknown[] = [];
  const change = async () => {
    copied = await statuses(to, stays);
    await query(from, 'select start_order($1, $2, 500, now())', [moving.id, starts]);
    await others.app.settle(moving, String(starts), 111, 25);
    await cancelOrder(from, moving.id, cancelled);
    await lease(null);
  };
  let changed: Promise<void> | undefined;
  await others.move(moving, 1, what => {
    if (what === words.waits) changed ??= change();
  });
  await changed;
  expect(copied).toEqual([{ status: 110, count: 60 }]);
  expect(await statuses(to, stays)).toEqual([{ status: 110, count: 60 }]);
  expect(await statuses(to, starts)).toEqual([
    { status: 110, count: 35 },
    { status: 111, count: 25 },
  ]);
  expect(await statuses(to, cancelled)).toEqual([{ status: 112, count: 60 }]);
  for (const db of others.dbs) expect((await audit(db)).findings).toEqual([]);
  expect(await leftovers(others)).toEqual([]);
});
