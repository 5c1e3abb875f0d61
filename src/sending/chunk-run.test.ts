// A leased chunk: which messages may be written under its mark, also when some have ended.
import { expect, test } from 'vitest';
import { ChunkRun, type RunFacts } from './chunk-run.ts';

function run(members: Partial<RunFacts>): ChunkRun {
  const ids = members.ids ?? [];
  return new ChunkRun({
    chunkId: 1,
    token: 1,
    accountId: 1,
    lane: 0,
    small: true,
    attempt: 0,
    pace: null,
    numbers: ids,
    places: null,
    textNos: null,
    orderIds: null,
    orders: new Map(
      [1, 2].map(id => [id, { id, sender: 'PEYK', texts: new Map(), deadlineMs: Number.POSITIVE_INFINITY }]),
    ),
    firstMessageId: 1_000,
    claimedMark: 100,
    ...members,
    ids,
  });
}

test('messages removed from one order of a shared chunk leave the other orders to be written', () => {
  const chunk = run({ ids: range(1_000, 4), orderIds: [1, 2, 2, 1] });
  expect(next(chunk)).toBe(0);
  chunk.again.push(0);
  expect(chunk.takeUnsent(index => chunk.orderOf(index).id === 2)).toEqual([1, 2]);
  expect(chunk.unsent).toBe(2);
  expect(writeAll(chunk)).toEqual([1_000, 1_003]);
  expect(chunk.holds).toBe(false);
});

function next(chunk: ChunkRun): number {
  const index = chunk.peek();
  if (index >= 0) chunk.take();
  return index;
}

const range = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i);

function writeAll(chunk: ChunkRun): number[] {
  const written: number[] = [];
  for (let index = next(chunk); index >= 0; index = next(chunk)) written.push(chunk.facts.ids[index]!);
  return written;
}

test('nothing beyond the mark is written until it is moved', () => {
  const chunk = run({ ids: range(1_000, 250) });
  expect(writeAll(chunk)).toEqual(range(1_000, 100));
  chunk.mark = 200;
  expect(writeAll(chunk)).toEqual(range(1_100, 100));
});

test('the mark counts positions in the stored range, ended messages included', () => {
  // The first 60 and one in the middle are final already: the mark of 100 positions covers only 39 of ours.
  const ids = range(1_060, 190).filter(id => id !== 1_080);
  const chunk = run({ ids });
  expect(writeAll(chunk).at(-1)).toBe(1_099);
  expect(chunk.mark).toBe(39);
  expect(chunk.markAt(39).mark).toBe(100);
  expect(chunk.markAt(40).mark).toBe(101);
  expect(chunk.markAt(0).mark).toBe(0);
});

test('nothing is written under a mark before the first open message', () => {
  const chunk = run({ ids: range(1_150, 10) });
  expect(writeAll(chunk)).toEqual([]);
});

test('the mark counts positions in a stored list, ended messages included', () => {
  const chunk = run({ ids: [1_003, 1_400, 1_450], places: [1, 3, 4], claimedMark: 3 });
  expect(writeAll(chunk)).toEqual([1_003, 1_400]);
  expect([chunk.markAt(2).mark, chunk.markAt(3).mark]).toEqual([3, 4]);
});

test('a throttled message goes first, and a leaving chunk writes nothing', () => {
  const chunk = run({ ids: range(1_000, 10) });
  expect([next(chunk), next(chunk)]).toEqual([0, 1]);
  chunk.again.push(0);
  expect(chunk.unsent).toBe(9);
  expect(next(chunk)).toBe(0);
  chunk.leaving = true;
  expect(next(chunk)).toBe(-1);
});
