// A forgotten transaction, a dump or an audit keeps versions of rows alive for minutes. What each message touches anew must not walk
// over them: docs/decisions/0020-old-snapshots.md.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blocksOf } from '../../test/support/database/blocks.ts';
import { type DispatchBench, dispatchBench } from '../sending/dispatch-fixture.ts';
import { accountsWithWork, claimChunks } from './claim.ts';
import { registerDispatcher } from './dispatcher-lease.ts';

const versions = 3_000;
let bench: DispatchBench;
let account: number;
let owner: number;

beforeAll(async () => {
  bench = await dispatchBench();
  account = await bench.account();
  owner = await registerDispatcher(bench.db, 'test');
});
afterAll(() => bench.close());

const times = (count: number, work: string) =>
  bench.db.query(`do $$ begin for i in 1..${count} loop ${work} commit; end loop; end $$`);

test('while a snapshot is held, credit, flushes and claims look at a few blocks, not at every version since', async () => {
  const chunk = `insert into chunks (account_id, lane, rank, first_message_id, count, due_at)
    values (${account}, 0, i % 2, i, 1, now() - interval '1 minute');`;
  const statements = {
    credit: `select take_credit(${account}, 1)`,
    flush: `select flush(${owner}, (extract(epoch from clock_timestamp()) * 1000000)::bigint, null, null, null, null, null, null, null, null, 0, null, null, null, null)`,
    claim: `select count(*) from claim(${owner}, 0::smallint, array[${account}], array[100], array[5000], 1, 1, 100, 25, 1000, 100, 10)`,
  };
  // Three to be claimed, one at a time: the second and third claim are looked at.
  const freshChunks = async (text: string) => {
    for (const number of [5_550_000_001, 5_550_000_002, 5_550_000_003]) await bench.accept(account, text, [number]);
  };
  await freshChunks('Önce');
  const before = Object.entries(statements).map(async ([name, one]) => [name, await blocksOf(bench.db, one)] as const);
  const usual = new Map(await Promise.all(before));
  const holder = await bench.db.connect();
  try {
    await holder.query('begin isolation level repeatable read');
    await holder.query('select 1 from chunks');
    await times(versions, `perform take_credit(${account}, 1);`);
    await times(versions, `update dispatchers set flush = flush + 1 where id = ${owner};`);
    await times(versions, `update dispatch_clocks set next_at = next_at where account_id = ${account};`);
    await times(versions, `${chunk} update chunks set lease_owner = ${owner}; delete from chunks;`);
    // As it is then: what the planner knows of are the few that live.
    await bench.db.query('analyze chunks');
    await freshChunks('Sonra');
    for (const [name, statement] of Object.entries(statements))
      expect.soft(await blocksOf(bench.db, statement), name).toBeLessThan(usual.get(name)! + 10);
    expect((await bench.db.query('select 1 from chunks where lease_owner is null')).rowCount).toBe(0);
  } finally {
    await holder.query('rollback');
    holder.release();
  }
});

test('a claim for fresh chunks finds what became due a moment ago; a look tells how old the oldest is', async () => {
  const [old, fresh] = [
    await bench.accept(account, 'Eski', [5_550_000_001]),
    await bench.accept(account, 'Yeni', [5_550_000_002]),
  ];
  await bench.db.query(
    `update chunks set rank = 1, due_at = now() - interval '30 seconds' where first_message_id = (select first_message_id from orders where id = $1)`,
    [old],
  );
  const claim = async (backMs: number | null) =>
    (await claimChunks(bench.db, owner, 0, [{ id: account, mark: 100, backMs }], { messages: 500 })).map(
      one => one.facts![0]!.id,
    );
  const look = () => accountsWithWork(bench.db, 0);
  expect((await look())[0]!.oldestMs).toBeGreaterThanOrEqual(30_000);
  expect(await claim(20_000)).toEqual([fresh]);
  expect(await claim(20_000)).toEqual([]);
  const [found, ...others] = await look();
  expect([found!.accountId, others]).toEqual([account, []]);
  expect(found!.oldestMs).toBeGreaterThanOrEqual(30_000);
  expect(await claim(found!.oldestMs + 4_000)).toEqual([old]);
  expect(await look()).toEqual([]);
});
