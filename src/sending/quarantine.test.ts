// Chunks that no dispatcher can process are quarantined, whichever step fails, and other orders are sent.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { wait } from '../../test/support/run/wait.ts';
import { claimChunks } from '../queue/claim.ts';
import { clearSuspicion, noteWork, registerDispatcher, releaseLeases } from '../queue/dispatcher-lease.ts';
import { useContentKeys } from '../sealing/content.ts';
import { type DispatchBench, dispatchBench, secretKey } from './dispatch-fixture.ts';

let bench: DispatchBench;
let account: number;

beforeEach(async () => {
  bench = await dispatchBench();
  account = await bench.account();
});
afterEach(() => bench.close());

const numbers = (count: number, from = 5_550_000_000) => Array.from({ length: count }, (_, i) => from + i);

/** Orders with quarantined messages. */
async function quarantined(): Promise<number[]> {
  const { rows } = await bench.db.query(
    'select distinct m.order_id as id from chunks c cross join lateral chunk_messages(c) q cross join lateral unnest(q.ids, q.orders) m(message_id, order_id) where c.lost >= 2 order by 1',
  );
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
  const held = await bench.chunks(bad);
  expect(held.every(one => one.mark === 0 && !one.leased)).toBe(true);
  expect(held.reduce((sum, one) => sum + one.count, 0)).toBe(40);
});

test('sealed and unsealed texts are sent unchanged; a text that was changed in the database delays no other order', async () => {
  const carrier = await bench.scripted('one');
  const before = await bench.accept(account, 'Once', numbers(1));
  useContentKeys(secretKey, 'sealed');
  const texts = ['Bir', 'Bozulan', 'Uc'];
  const given = texts.map((text, i) => ({ account, text, number: 5_550_000_010 + i }));
  const together = await bench.together(given);
  useContentKeys(secretKey, 'plain');
  const after = await bench.accept(account, 'Sonra', numbers(1, 5_550_000_020));
  const { rows } = await bench.db.query('select text from orders where id = any ($1)', [together]);
  expect(rows.every(one => /^peyk1:[\w-]{6}:/.test(one.text))).toBe(true);
  // One letter of the sealed text.
  await bench.db.query(
    `update orders set text = overlay(text placing case substr(text, 40, 1) when 'A' then 'B' else 'A' end from 40) where id = $1`,
    [together[1]],
  );
  await bench.dispatcher();
  await wait('the others', () => carrier.submits.length >= 4);
  await wait('it to be set aside', async () => (await quarantined()).length === 1);
  expect(await quarantined()).toEqual([together[1]]);
  const sent = carrier.submits.map(one => one.text.replace(/ ?B186$/, ''));
  expect(sent.sort()).toEqual(['Bir', 'Once', 'Sonra', 'Uc']);
  expect([before, after].every(id => id > 0)).toBe(true);
});

const limits = { messages: 500 };

/** Pending orders, one chunk each. */
async function waiting(chunks: number, count: number): Promise<number[]> {
  const orders: number[] = [];
  // One after another: single sends that are accepted together share a chunk.
  for (let i = 0; i < chunks; i++) orders.push(await bench.accept(account, `Bekleyen ${i}`, numbers(count)));
  return orders;
}

/** A dispatcher leases all chunks and dies, perhaps while it works on the chunk of an order. */
async function dies(held: number, workingOn?: number): Promise<void> {
  const owner = await registerDispatcher(bench.db, 'dies');
  const claimed = await claimChunks(bench.db, owner, 0, [{ id: account, mark: 100 }], limits);
  expect(claimed.filter(one => one.chunkId !== null)).toHaveLength(held);
  const chunk = claimed.find(one => one.facts?.some(facts => facts.id === workingOn));
  // None of it was written.
  await bench.db.query('update chunks set mark = 0 where lease_owner = $1', [owner]);
  if (chunk) await noteWork(bench.db, owner, 0, chunk.chunkId);
  await releaseLeases(bench.db, owner);
}

test('chunks of dispatchers that die for another cause are claimed again each time, and sent', async () => {
  const orders = await waiting(3, 5);
  for (let death = 0; death < 5; death++) await dies(3);
  expect(await quarantined()).toEqual([]);
  await bench.carrier('one');
  await bench.dispatcher();
  for (const order of orders) expect((await bench.finished(order)).every(one => one.status === 111)).toBe(true);
});

test('a chunk is quarantined when a second dispatcher dies while working on it, and no other chunk is', async () => {
  const [, guilty] = (await waiting(3, 1)) as [number, number];
  await dies(3, guilty);
  expect(await quarantined()).toEqual([]);
  await dies(3);
  await dies(3, guilty);
  expect(await quarantined()).toEqual([guilty]);
  await dies(2);
});

test('the message that kills its dispatchers is found by halving its chunk', async () => {
  const order = await bench.accept(account, 'Olumcul', numbers(8));
  const guilty = (await bench.messages(order))[5]!.id;
  let deaths = 0;
  for (; (await quarantined()).length === 0; deaths++) {
    const owner = await registerDispatcher(bench.db, 'dies');
    const claimed = await claimChunks(bench.db, owner, 0, [{ id: account, mark: 0 }], limits);
    const found = claimed.find(one => one.ids?.includes(guilty))!;
    const others = claimed.filter(one => one.chunkId !== null && one !== found);
    // None of it was written.
    await bench.db.query('update chunks set mark = 0 where lease_owner = $1', [owner]);
    await noteWork(bench.db, owner, 0, found.chunkId);
    await releaseLeases(bench.db, owner);
    expect(others.flatMap(one => one.ids!).length + found.ids!.length).toBe(8);
  }
  expect(deaths).toBe(5);
  const aside = (await bench.chunks(order)).filter(one => one.lost >= 2);
  expect(aside).toMatchObject([{ count: 1 }]);
  const { rows } = await bench.db.query(
    'select m.message_id as id from chunks c cross join lateral chunk_messages(c) q cross join lateral unnest(q.ids, q.orders) m(message_id, order_id) where c.lost >= 2',
  );
  expect(rows).toEqual([{ id: guilty }]);
});

test('a chunk quarantined for an error of its own stays quarantined when suspicion is cleared', async () => {
  const [bad, suspect] = (await waiting(2, 1)) as [number, number];
  await bench.db.query(
    'update chunks c set lost = case o.id when $1 then 100 else 2 end from orders o where o.first_message_id = c.first_message_id',
    [bad],
  );
  const { rows } = await bench.db.query('select id from chunks');
  await clearSuspicion(
    bench.db,
    rows.map(one => one.id),
  );
  expect(await quarantined()).toEqual([bad]);
  expect(suspect).not.toBe(bad);
});
