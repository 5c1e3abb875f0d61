// Claims and lost leases, checked in the tables.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { wait } from '../../test/support/run/wait.ts';
import { transaction } from '../db/db.ts';
import { type ClaimedChunk, claimChunks, moveMarks, returnChunks, returnLost } from '../queue/claim.ts';
import { registerDispatcher, releaseLeases } from '../queue/dispatcher-lease.ts';
import { flush } from '../receipts/flush.ts';
import { pauseAfter } from './claimer.ts';
import { type DispatchBench, dispatchBench, submittedBatch } from './dispatch-fixture.ts';

let bench: DispatchBench;
let account: number;
let owner: number;
let texts = 0;

beforeAll(async () => {
  bench = await dispatchBench();
});
afterAll(() => bench.close());
beforeEach(async () => {
  account = await bench.account();
  owner = await registerDispatcher(bench.db, 'test');
});

function claim(by = owner, mark = 100, lane: 0 | 1 = 0): Promise<ClaimedChunk[]> {
  return claimChunks(bench.db, by, lane, [{ id: account, mark }], { messages: 500 });
}

function accept(count: number): Promise<number> {
  const numbers = Array.from({ length: count }, (_, i) => 5_550_000_000 + i);
  return bench.accept(account, `Metin ${++texts}`, numbers);
}

/** Stores answers of the carrier for these messages, as a dispatcher does. */
async function answered(ids: number[], by = owner): Promise<void> {
  const batch = submittedBatch(ids);
  await flush(bench.db, by, 1, batch);
}

test('a chunk is leased once: the next claim gets the next chunk', async () => {
  const order = await accept(700);
  const [first] = await claim();
  const [second] = await claim(await registerDispatcher(bench.db, 'other'));
  expect([first!.facts![0]!.id, second!.facts![0]!.id]).toEqual([order, order]);
  expect([first!.ids!.length, second!.ids!.length]).toEqual([500, 200]);
  expect(await claim()).toEqual([]);
});

test('a claim returns the facts of an order that is accepted while the claim runs', async () => {
  // Before it leases, a claim reads the account's clock: it waits there, having begun.
  const { order, claimed } = await transaction(bench.db, async tx => {
    await tx.query('lock table dispatch_clocks in access exclusive mode');
    const claimed = claim(owner, 100);
    const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    await wait('the claim to wait', async () => (await bench.db.query(waiting)).rows.length > 0);
    const order = await accept(1);
    await bench.db.query("update chunks set due_at = now() - interval '1 minute' where account_id = $1", [account]);
    return { order, claimed };
  });
  expect((await claimed).flatMap(one => one.facts!.map(facts => facts.id))).toEqual([order]);
});

test('a claim locks at most one chunk more than it may lease', async () => {
  for (let i = 0; i < 10; i++) await accept(1);
  // Campaigns: the clock of the transactional lane would make other claims wait.
  await bench.db.query('update chunks set lane = 1 where account_id = $1 and lease_owner is null', [account]);
  const [first, others] = await transaction(bench.db, async tx => {
    const asked = [{ id: account, mark: 100 }];
    const leased = await claimChunks(tx, owner, 1, asked, { messages: 1 });
    return [leased, await claim(await registerDispatcher(bench.db, 'other'), 100, 1)];
  });
  expect([first!.length, first![0]!.more, others!.length]).toEqual([1, true, 8]);
  expect(await claim(owner, 100, 1)).toHaveLength(1);
});

test('a claim marks only the first chunk of an account’s large orders, and small orders as far as there is room', async () => {
  await accept(700);
  expect((await claim(owner, 200)).map(one => one.mark)).toEqual([200]);
  expect((await claim(owner, 0)).map(one => one.mark)).toEqual([0]);
  await accept(20);
  await accept(1);
  expect((await claim(owner, 0)).map(one => one.mark)).toEqual([20, 1]);
  for (let i = 0; i < 3; i++) await accept(5);
  const limits = { messages: 500, room: 7 };
  const claimed = await claimChunks(bench.db, owner, 0, [{ id: account, mark: 0 }], limits);
  expect(claimed.map(one => one.mark)).toEqual([5, 2, 0]);
});

test('after a lost lease messages beyond the mark wait again, messages before it without an answer are unsure', async () => {
  const order = await accept(300);
  const [chunk] = await claim(owner, 100);
  await answered(chunk!.ids!.slice(0, 60));
  await releaseLeases(bench.db, owner);
  const again = await claim(await registerDispatcher(bench.db, 'heir'), 100);
  expect(again.map(one => one.ids)).toEqual([chunk!.ids!.slice(100)]);
  expect(await bench.unsure(order)).toEqual(chunk!.ids!.slice(60, 100));
});

test('a mark of a lost lease cannot be moved', async () => {
  const order = await accept(300);
  const [chunk] = await claim(owner, 100);
  const mark = { chunkId: chunk!.chunkId!, token: chunk!.token, mark: 250 };
  expect(await moveMarks(bench.db, [mark])).toEqual(new Set([chunk!.chunkId]));
  await releaseLeases(bench.db, owner);
  expect(await moveMarks(bench.db, [{ ...mark, mark: 300 }])).toEqual(new Set());
  await claim(await registerDispatcher(bench.db, 'heir'), 100);
  expect((await bench.chunks(order)).map(one => one.count)).toEqual([50]);
  expect(await bench.unsure(order)).toHaveLength(250);
});

test('a chunk given back after a clean stop loses and repeats no message', async () => {
  const order = await accept(300);
  const [chunk] = await claim(owner, 300);
  await answered(chunk!.ids!.slice(0, 120));
  await returnChunks(bench.db, [{ chunkId: chunk!.chunkId!, token: chunk!.token, mark: 120 }]);
  const again = await claim();
  expect(again.map(one => one.ids)).toEqual([chunk!.ids!.slice(120)]);
  expect(await bench.chunks(order)).toHaveLength(1);
});

test('a dispatcher that was declared dead leases nothing any more', async () => {
  await accept(10);
  await releaseLeases(bench.db, owner);
  expect(await claim()).toEqual([]);
});

test('leases of a claim without an answer are given back, and no others', async () => {
  const first = await accept(100);
  const [known] = await claim();
  const second = await accept(100);
  await claim();
  const above = known!.token;
  const third = await accept(100);
  const [since] = await claim();
  expect(await returnLost(bench.db, owner, 0, { above, since: [since!.token] })).toBe(1);
  expect(await bench.chunks(first)).toMatchObject([{ leased: true }]);
  expect(await bench.chunks(second)).toMatchObject([{ leased: false, mark: 0 }]);
  expect(await bench.chunks(third)).toMatchObject([{ leased: true }]);
});

test('a claim grants an account its burst and a second ahead for small orders, and says when to claim again', async () => {
  account = await bench.account(1);
  for (let i = 0; i < 20; i++) await accept(1);
  const wait = (await claim()).at(-1);
  expect(
    (await bench.db.query('select 1 from chunks where account_id = $1 and lease_owner is not null', [account]))
      .rowCount,
  ).toBe(12);
  expect(wait).toMatchObject({ chunkId: null, accountId: account });
  expect(wait!.waitMs).toBeGreaterThan(0);
});

test('a claim grants large orders what is due, small ones up to a second ahead, and keeps a fifth for the large one', async () => {
  account = await bench.account(100);
  await accept(400);
  const clock = (nextMs: number, largeMs: number) =>
    bench.db.query(
      `update dispatch_clocks set next_at = now() + make_interval(secs => $2), large_at = now() + make_interval(secs => $3) where account_id = $1`,
      [account, nextMs / 1_000, largeMs / 1_000],
    );
  const granted = async () => (await claim()).flatMap(one => one.ids?.length ?? []);
  expect(await granted()).toEqual([25]);
  await accept(60);
  await clock(950, 60_000);
  expect(await granted()).toEqual([25]);
  await clock(60_000, 60_000);
  expect(await granted()).toEqual([]);
  await clock(60_000, 0);
  expect((await claim()).map(one => one.rank).filter(rank => rank !== null)).toEqual([1]);
});

test('a claim says whether the account has more that is due', async () => {
  await accept(3);
  expect((await claim()).map(one => one.more)).toEqual([false]);
  for (let i = 0; i < 65; i++) await accept(1);
  expect((await claim()).every(one => one.more)).toBe(true);
  expect((await claim()).map(one => one.more)).toEqual([false]);
  await accept(700);
  expect((await claim()).map(one => one.more)).toEqual([true]);
  expect((await claim()).map(one => one.more)).toEqual([false]);
});

test('a suspended account is granted nothing', async () => {
  await accept(5);
  await bench.db.query(`update accounts set status = 'suspended' where id = $1`, [account]);
  expect(await claim()).toEqual([]);
});

test('after a claim of few messages there is a pause in proportion to its time, 10 ms at most; after none or many there is none', () => {
  expect([pauseAfter(1, 1), pauseAfter(1, 249), pauseAfter(400, 20)]).toEqual([3, 3, 10]);
  expect([pauseAfter(400, 0), pauseAfter(400, 250)]).toEqual([0, 0]);
});

test('what the database executes after we gave it up takes no lease that we got since, and no mark goes back', async () => {
  await accept(300);
  let execute: () => void = () => {};
  const woken = new Promise<void>(resolve => {
    execute = resolve;
  });
  let isSent = false;
  const query = async (statement: { name?: string }, ...more: []) => {
    if (statement.name === 'chunk lost') {
      isSent = true;
      await woken;
    }
    return bench.db.query(statement as never, ...more);
  };
  const frozen = Object.create(bench.db, { query: { value: query } }) as typeof bench.db;
  const late = returnLost(frozen, owner, 0, { above: 0, since: [] });
  await wait('the statement to be sent', () => isSent);
  const [chunk] = await claim(owner, 10);
  const about = { chunkId: chunk!.chunkId!, token: chunk!.token };
  await moveMarks(bench.db, [{ ...about, mark: 20 }]);
  await moveMarks(bench.db, [{ ...about, mark: 5 }]);
  execute();
  expect(await late).toBe(0);
  const { rows } = await bench.db.query('select mark, lease_owner as owner from chunks where id = $1', [about.chunkId]);
  expect(rows).toEqual([{ mark: 20, owner }]);
});
