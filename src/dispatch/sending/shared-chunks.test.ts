// Orders of one message that are accepted together share a chunk while nothing happens to it; whatever is rare parts it by order.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { audit } from '../../audit/invariants.ts';
import { type ClaimedChunk, claimChunks, quarantineChunk, returnChunks } from '../../orders/claim.ts';
import { registerDispatcher, releaseLeases } from '../../orders/dispatcher-lease.ts';
import { storeRecords } from '../../orders/record.ts';
import { type DispatchBench, dispatchBench, submittedBatch } from '../dispatch-fixture.ts';

let bench: DispatchBench;
let account: number;
let owner: number;

beforeAll(async () => {
  bench = await dispatchBench();
});
afterAll(() => bench.close());
beforeEach(async () => {
  account = await bench.account();
  owner = await registerDispatcher(bench.db, 'test');
});
afterEach(async () => {
  await releaseLeases(bench.db, owner);
  expect((await audit(bench.db)).findings.filter(one => !one.invariant.includes('quarantined'))).toEqual([]);
});

let texts = 0;
const order = (of: number, number: number) => ({
  account: of,
  text: `Kod ${++texts}`,
  number: 905_550_000_000 + number,
});
const five = (of = account) => [1, 2, 3, 4, 5].map(number => order(of, number));
const claim = (by = owner): Promise<ClaimedChunk[]> =>
  claimChunks(bench.db, by, 0, [{ id: account, mark: 0 }], { messages: 500, holdMs: 0 });

async function chunksOf(
  accountId = account,
): Promise<{ order: number; count: number; shared: boolean; kind: number }[]> {
  const statement = 'select order_id as order, count, shared, kind from chunks where account_id = $1 order by order_id';
  return (await bench.db.query(statement, [accountId])).rows;
}

/** Stores that the carrier took these messages; with `chunk`, that it has ended. */
async function taken(ids: number[], chunk?: ClaimedChunk, after = new Date(Date.now() + 3_600_000)): Promise<void> {
  const batch = submittedBatch(account, ids);
  if (chunk) {
    batch.done.chunks.push(chunk.chunkId!);
    batch.done.tokens.push(chunk.token);
  }
  await storeRecords(bench.db, owner, 1, batch, { after, slackMs: 0 });
}

test('those of one account and sender share one, with a text for each; a single one stands alone', async () => {
  const [other, lonely] = [await bench.account(), await bench.account()];
  const given = [
    order(account, 1),
    order(other, 2),
    order(account, 3),
    order(lonely, 4),
    order(other, 5),
    order(account, 6),
  ];
  const ids = await bench.together(given);
  expect(await chunksOf()).toEqual([{ order: ids[0], count: 3, shared: true, kind: 0 }]);
  expect(await chunksOf(other)).toEqual([{ order: ids[1], count: 2, shared: true, kind: 0 }]);
  expect(await chunksOf(lonely)).toEqual([{ order: ids[3], count: 1, shared: false, kind: 0 }]);
  const [chunk] = await claim();
  const [first, , third, , , last] = given;
  expect(chunk).toMatchObject({
    numbers: [first!.number, third!.number, last!.number],
    texts: [first!.text, third!.text, last!.text],
    ...{ shared: true, mark: 3, more: false },
  });
  for (const [i, one] of [0, 2, 5].entries())
    expect(await bench.messages(ids[one]!)).toMatchObject([{ id: chunk!.ids![i], number: given[one]!.number }]);
});

test('of an account with a pace they are at most a second’s worth', async () => {
  account = await bench.account(12);
  await bench.together(Array.from({ length: 30 }, (_, i) => order(account, i)));
  expect((await chunksOf()).map(one => one.count)).toEqual([12, 12, 6]);
});

test('when its dispatcher dies, each order without an answer is in doubt by itself', async () => {
  const ids = await bench.together(five());
  const [chunk] = await claim();
  await taken(chunk!.ids!.slice(1, 3));
  await releaseLeases(bench.db, owner);
  owner = await registerDispatcher(bench.db, 'next');
  await claim();
  const doubtful = [ids[0], ids[3], ids[4]].map(id => ({ order: id, count: 1, shared: false, kind: 2 }));
  expect(await chunksOf()).toEqual(doubtful);
});

test('given back untouched it stays one; given back in the middle, the rest goes on order by order', async () => {
  const ids = await bench.together(five());
  const [before] = await claim();
  await returnChunks(bench.db, [{ chunkId: before!.chunkId!, token: before!.token, mark: 0 }]);
  const [chunk] = await claim();
  expect(chunk!.chunkId).toBe(before!.chunkId);
  await taken(chunk!.ids!.slice(0, 2));
  await returnChunks(bench.db, [{ chunkId: chunk!.chunkId!, token: chunk!.token, mark: 2 }]);
  const rest = await claim();
  expect(rest.map(one => [one.orderId, one.shared, one.text])).toEqual(
    ids.slice(2).map((id, i) => [id, false, `Kod ${texts - 2 + i}`]),
  );
});

test('an order of it is closed by itself, and not while somebody sends it', async () => {
  const ids = await bench.together(five());
  const close = async (id: number) => {
    await bench.db.query(`update orders set close_after = now() - interval '1 second' where id = $1`, [id]);
    return (await bench.db.query('select close_order_1($1, $2, now()) as closed', [account, id])).rows[0].closed;
  };
  const [chunk] = await claim();
  expect(await close(ids[2]!)).toBe(0);
  await returnChunks(bench.db, [{ chunkId: chunk!.chunkId!, token: chunk!.token, mark: 0 }]);
  expect(await close(ids[2]!)).toBe(1);
  expect((await bench.messages(ids[2]!))[0]).toMatchObject({ status: 112, reason: 18 });
  expect((await claim()).map(one => one.orderId)).toEqual([0, 1, 3, 4].map(i => ids[i]));
});

test('at its end the closing of all its orders is put off', async () => {
  const ids = await bench.together(five());
  const [chunk] = await claim();
  const after = new Date(Date.now() + 86_400_000);
  await taken(chunk!.ids!, chunk, after);
  expect(await chunksOf()).toEqual([]);
  const { rows } = await bench.db.query('select close_after as at from orders where id = any ($1)', [ids]);
  expect(rows).toEqual(ids.map(() => ({ at: after })));
});

test('submits that became one order are marked whole when they are claimed; when their dispatcher dies, those without an answer are in doubt', async () => {
  const numbers = Array.from({ length: 60 }, (_, i) => 905_550_001_000 + i);
  const id = await bench.submits(account, 'Hepsine', numbers);
  expect(await chunksOf()).toEqual([{ order: id, count: 60, shared: false, kind: 0 }]);
  const [chunk] = await claim();
  expect(chunk).toMatchObject({ orderId: id, numbers, text: 'Hepsine', mark: 60, shared: false });
  await taken(chunk!.ids!.slice(0, 40));
  await releaseLeases(bench.db, owner);
  owner = await registerDispatcher(bench.db, 'next');
  await claim();
  expect(await chunksOf()).toEqual([{ order: id, count: 20, shared: false, kind: 2 }]);
});

test('one that cannot be sent is parted instead of set aside', async () => {
  const ids = await bench.together(five());
  const [chunk] = await claim();
  await quarantineChunk(bench.db, { chunkId: chunk!.chunkId!, token: chunk!.token, mark: 1 }, 60_000);
  expect(await chunksOf()).toEqual(ids.map((id, i) => ({ order: id, count: 1, shared: false, kind: i === 0 ? 2 : 0 })));
});

test('each phone gets its own text; what nobody can encode is set aside alone, what a carrier puts off comes by itself', async () => {
  const smsc = await bench.carrier('tek');
  // 9010: the carrier's queue is full twice.
  const given = [order(account, 501), order(account, 502), order(account, 9010), order(account, 504)];
  const ids = await bench.together(given);
  await bench.db.query('update orders set encoding = 99 where id = $1', [ids[1]]);
  const dispatcher = await bench.dispatcher();
  for (const i of [0, 2, 3]) expect(await bench.finished(ids[i]!)).toMatchObject([{ status: 111 }]);
  for (const i of [0, 2, 3]) {
    const shown = await (await fetch(`${smsc.url}/messages?to=${given[i]!.number}`)).json();
    expect(shown).toMatchObject([{ text: expect.stringMatching(new RegExp(`^${given[i]!.text} B`)) }]);
  }
  const { rows } = await bench.db.query('select order_id as id from chunks where quarantined');
  expect(rows).toEqual([{ id: ids[1] }]);
  await dispatcher.stop();
});
