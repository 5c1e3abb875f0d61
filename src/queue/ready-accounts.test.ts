// Who is asked for work, and for how old.
import { beforeEach, expect, test } from 'vitest';
import type { ClaimedChunk } from './claim.ts';
import { ReadyAccounts } from './ready-accounts.ts';

let time: number;
let ready: ReadyAccounts;
beforeEach(() => {
  time = 1_000_000;
  ready = new ReadyAccounts(() => time);
});

/** Asks which accounts are due, and answers with what their claims returned. */
function ask(...answers: (Partial<ClaimedChunk> & { accountId: number })[]) {
  const asked = ready.due('all');
  const claimed = answers.map(one => ({ waitMs: null, more: false, ...one }) as ClaimedChunk);
  ready.answered(asked, claimed, 'all');
  return asked;
}

const found = (...accounts: [id: number, oldestMs: number][]) =>
  ready.found(
    accounts.map(([accountId, oldestMs]) => ({ accountId, oldestMs })),
    time,
  );

test('who is heard of is asked for what became due a moment ago, however long it was not heard of', () => {
  for (const passed of [0, 1_000, 3_600_000]) {
    time += passed;
    ready.hear(7);
    expect(ask({ accountId: 7 })).toEqual([{ id: 7, backMs: 4_000 }]);
    expect(ready.any).toBe(false);
  }
});

test('who was found with something older is asked for all since then, until nothing is left', () => {
  found([7, 60_000], [8, 40 * 86_400_000]);
  time += 100;
  expect(ask({ accountId: 7, more: true }, { accountId: 8, more: true })).toEqual([
    { id: 7, backMs: 64_100 },
    { id: 8, backMs: null },
  ]);
  time += 500;
  ready.hear(7);
  expect(ask({ accountId: 7 }, { accountId: 8 })[0]).toEqual({ id: 7, backMs: 64_600 });
  ready.hear(7);
  expect(ask()).toEqual([{ id: 7, backMs: 4_000 }]);
});

test('who has more, or must wait, is asked again for all since it was heard of first', () => {
  ready.hear(7);
  expect(ask({ accountId: 7, more: true })).toEqual([{ id: 7, backMs: 4_000 }]);
  time += 500;
  ready.hear(7);
  expect(ask({ accountId: 7, waitMs: 50 })).toEqual([{ id: 7, backMs: 4_500 }]);
  expect([ask(), ready.pauseMs(1_000, 'all')]).toEqual([[], 50]);
  time += 50;
  expect(ask()).toEqual([{ id: 7, backMs: 4_550 }]);
});

test('what a look finds while an account is asked for less is asked for next', () => {
  ready.hear(7);
  const asked = ready.due('all');
  found([7, 20_000]);
  ready.answered(asked, [], 'all');
  expect(ask()).toEqual([{ id: 7, backMs: 24_000 }]);
  expect(ready.any).toBe(false);
});

test('a claim that failed is repeated for the same', () => {
  found([7, 20_000]);
  ready.due('all');
  time += 1_000;
  ready.hear(7);
  expect(ask()).toEqual([{ id: 7, backMs: 25_000 }]);
});

test('what is heard of an account while it is asked is not forgotten', () => {
  found([7, 0], [8, 0]);
  const asked = ready.due('all');
  ready.hear(8);
  ready.answered(asked, [], 'all');
  expect(ask().map(one => one.id)).toEqual([8]);
  expect(ready.any).toBe(false);
});

test('at most 32 are asked at a time, each in its turn', () => {
  found(...Array.from({ length: 40 }, (_, i): [number, number] => [i, 0]));
  const more = Array.from({ length: 40 }, (_, i) => ({ accountId: i, more: true }));
  expect(ask(...more).map(one => one.id)).toEqual(Array.from({ length: 32 }, (_, i) => i));
  expect(
    ask(...more)
      .map(one => one.id)
      .slice(0, 9),
  ).toEqual([32, 33, 34, 35, 36, 37, 38, 39, 0]);
});

test('an account whose claim was for small orders alone is asked for large ones as soon as there is room for them', () => {
  ready.hear(7);
  ready.answered(ready.due('small'), [], 'small');
  expect(ready.due('small')).toEqual([]);
  expect(ready.pauseMs(1_000, 'small')).toBe(1_000);
  expect(ready.pauseMs(1_000, 'all')).toBe(1);
  expect(ready.due('all')).toEqual([{ id: 7, backMs: 4_000 }]);
  ready.answered([{ id: 7, backMs: 4_000 }], [], 'all');
  expect(ready.any).toBe(false);
});

test('a new order of an account that waits with large ones is asked for at once', () => {
  ready.hear(7);
  ready.answered(ready.due('small'), [], 'small');
  ready.hear(7);
  const asked = ready.due('small');
  expect(asked).toHaveLength(1);
  // The claim under way may have missed it.
  ready.hear(7);
  ready.answered(asked, [], 'small');
  expect(ready.due('small')).toHaveLength(1);
});
