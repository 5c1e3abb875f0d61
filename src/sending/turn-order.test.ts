// Chunks of one account go one after another, and only those whose turn it is need a mark.
import { expect, test } from 'vitest';
import { ChunkRun, type RunFacts } from './chunk-run.ts';
import { TurnOrder } from './turn-order.ts';

let chunks = 0;

function run(accountId: number, count: number, claimedMark: number): ChunkRun {
  const firstMessageId = ++chunks * 1_000;
  const ids = Array.from({ length: count }, (_, i) => firstMessageId + i);
  const about = { places: null, orderIds: null, orders: new Map() };
  const facts = {
    ...about,
    chunkId: chunks,
    accountId,
    lane: 1,
    pace: null,
    ids,
    firstMessageId,
    claimedMark,
  };
  return new ChunkRun(facts as unknown as RunFacts);
}

function write(chunk: ChunkRun, count: number): void {
  chunk.mark = chunk.facts.ids.length;
  for (let i = 0; i < count; i++) chunk.take();
}

test('the second chunk of an account waits until the first is written; another account does not', () => {
  const order = new TurnOrder();
  const [first, second, other] = [run(1, 500, 200), run(1, 500, 0), run(2, 500, 200)];
  for (const one of [first, second, other]) order.add(one);
  expect([first, second, other].map(one => order.mayGo(one))).toEqual([true, false, true]);
  write(first, 500);
  expect(order.mayGo(second)).toBe(true);
});

test('small chunks never wait', () => {
  const order = new TurnOrder();
  order.add(run(1, 500, 200));
  expect(order.mayGo(run(1, 1, 1))).toBe(true);
  expect(order.mayGo(run(1, 25, 25))).toBe(true);
});

test('a chunk that was begun goes on when the carrier throttled some of it', () => {
  const order = new TurnOrder();
  const [first, second] = [run(1, 100, 100), run(1, 100, 0)];
  order.add(first);
  order.add(second);
  write(first, 100);
  expect(order.mayGo(second)).toBe(true);
  first.putBack(3);
  expect([order.mayGo(first), order.mayGo(second)]).toEqual([true, true]);
});

test('of each account the chunk at its head and the one behind it may be written next, and nobody else', () => {
  const order = new TurnOrder();
  const [first, second, third, other] = [run(1, 500, 200), run(1, 500, 0), run(1, 500, 0), run(2, 500, 0)];
  for (const one of [first, second, third, other]) order.add(one);
  expect(order.next()).toEqual([[first, second], [other]]);
});

test('nobody waits for long behind a chunk whose carrier takes nothing', () => {
  const order = new TurnOrder();
  const [first, second] = [run(1, 500, 200), run(1, 500, 0)];
  order.add(first);
  order.add(second);
  for (let i = 0; i < 190; i++) first.take();
  // As if no time passed: a machine that stands still for half a second changes the answer.
  first.busySinceMs = Number.POSITIVE_INFINITY;
  expect(order.mayGo(second)).toBe(false);
  first.busySinceMs = performance.now() - 60_000;
  expect(order.mayGo(second)).toBe(true);
  expect(order.next()).toEqual([[first, second]]);
});

test('when the head is gone the next one takes its place, and an account without chunks is forgotten', () => {
  const order = new TurnOrder();
  const [first, second] = [run(1, 500, 200), run(1, 500, 0)];
  order.add(first);
  order.add(second);
  order.forget(first);
  expect(order.mayGo(second)).toBe(true);
  order.forget(second);
  expect([order.size, order.has(1)]).toEqual([0, false]);
});
