// Chunks nobody can work on: set aside at once, at whatever step they show it, without a loss to anybody else.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { wait } from '../../test/support/wait.ts';
import { claimChunks } from '../orders/claim.ts';
import { registerDispatcher, releaseLeases } from '../orders/dispatcher-lease.ts';
import { type DispatchBench, dispatchBench } from './dispatch-fixture.ts';

let bench: DispatchBench;
let account: number;

beforeEach(async () => {
  bench = await dispatchBench();
  account = await bench.account();
});
afterEach(() => bench.close());

const numbers = (count: number, from = 5_550_000_000) => Array.from({ length: count }, (_, i) => from + i);

async function quarantined(): Promise<number[]> {
  const { rows } = await bench.db.query('select order_id as id from chunks where quarantined order by id');
  return (rows as { id: number }[]).map(one => one.id);
}

test.each([
  ['a text nobody can encode', 'update orders set encoding = 99 where id = $1'],
  ['a time nobody can read', `update orders set send_at = 'infinity' where id = $1`],
])('%s: the chunk is set aside, the orders behind it are sent', async (_name, damage) => {
  await bench.carrier('one');
  const bad = await bench.accept(account, 'Bozuk', numbers(40));
  await bench.db.query(damage, [bad]);
  const good = await bench.accept(account, 'Saglam', numbers(40, 5_550_001_000));
  await bench.dispatcher();
  expect((await bench.finished(good)).every(one => one.status === 111)).toBe(true);
  await wait('it to be set aside', async () => (await quarantined()).length === 1);
  expect(await quarantined()).toEqual([bad]);
  expect((await bench.messages(bad)).every(one => one.status === 110)).toBe(true);
  expect(await bench.chunks(bad)).toMatchObject([{ kind: 0, count: 40, mark: 0, leased: false }]);
});

test('one in doubt that takes its third dispatcher with it is quarantined, and one that did not is claimed again', async () => {
  const order = await bench.accept(account, 'Belirsiz', numbers(10));
  await bench.db.query(
    `update chunks set kind = 2, marked_at = now(), ids = (select array_agg(id) from messages where order_id = $1) where order_id = $1`,
    [order],
  );
  for (let loss = 1; loss <= 3; loss++) {
    const owner = await registerDispatcher(bench.db, 'dies');
    const limits = { messages: 500, holdMs: 0 };
    expect(await claimChunks(bench.db, owner, 0, [{ id: account, mark: 100 }], limits)).toHaveLength(1);
    await releaseLeases(bench.db, owner);
    expect(await quarantined()).toEqual(loss === 3 ? [order] : []);
  }
});
