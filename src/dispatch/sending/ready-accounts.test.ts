// Who is asked for work, and whether for all of it or for what became due a moment ago.
import { beforeEach, expect, test } from 'vitest';
import type { ClaimedChunk } from '../../orders/claim.ts';
import { ReadyAccounts } from './ready-accounts.ts';

let time: number;
let ready: ReadyAccounts;
beforeEach(() => {
  time = 1_000_000;
  ready = new ReadyAccounts(() => time);
});

/** Asks whose turn it is, and tells what their claim said. */
function ask(...answers: (Partial<ClaimedChunk> & { accountId: number })[]) {
  const asked = ready.due();
  const told = answers.map(one => ({ waitMs: null, more: false, ...one }) as ClaimedChunk);
  ready.answered(asked, told, time);
  return asked;
}

test('after a claim of everything that left nothing, fresh chunks alone are asked for, for two seconds', () => {
  ready.hear(7);
  expect(ask({ accountId: 7 })).toEqual([{ id: 7, backMs: null }]);
  for (const passed of [0, 1_000, 999]) {
    time += passed;
    ready.hear(7);
    expect(ask()).toEqual([{ id: 7, backMs: 4_000 + passed }]);
  }
  time += 1;
  ready.hear(7);
  expect(ask()).toEqual([{ id: 7, backMs: null }]);
});

test('the longer a claim of everything takes, the later comes the next one, after ten seconds at most', () => {
  for (const [took, pause] of [
    [100, 2_000],
    [300, 6_000],
    [9_000, 10_000],
  ] as const) {
    ready.hear(7);
    const askedAt = time;
    const asked = ready.due();
    time += took;
    ready.answered(asked, [], askedAt);
    time = askedAt + pause - 1;
    ready.hear(7);
    expect(ask()).toEqual([{ id: 7, backMs: 4_000 + pause - 1 }]);
    time += 1;
    ready.hear(7);
    expect(ready.due()).toEqual([{ id: 7, backMs: null }]);
    ready.forgetSwept();
  }
});

test('who has more, or must wait, or was said to be gone, is asked for everything', () => {
  ready.hear(7);
  ask({ accountId: 7, more: true });
  expect(ask({ accountId: 7, waitMs: 50 })).toEqual([{ id: 7, backMs: null }]);
  expect([ask(), ready.pauseMs(1_000)]).toEqual([[], 50]);
  time += 50;
  expect(ask()).toEqual([{ id: 7, backMs: null }]);
  ready.hear(7);
  ready.forgetSwept();
  expect(ask()).toEqual([{ id: 7, backMs: null }]);
});

test('who has more, or waits, is asked again for all that became due since nothing was left', () => {
  ready.hear(7);
  ask();
  time += 500;
  ready.hear(7);
  expect(ask({ accountId: 7, more: true })).toEqual([{ id: 7, backMs: 4_500 }]);
  time += 500;
  expect(ask({ accountId: 7, waitMs: 100 })).toEqual([{ id: 7, backMs: 5_000 }]);
  time += 100;
  expect(ask()).toEqual([{ id: 7, backMs: 5_100 }]);
  time += 100;
  ready.hear(7);
  expect(ask({ accountId: 7, more: true })).toEqual([{ id: 7, backMs: 4_100 }]);
  time += 1_000;
  expect(ask({ accountId: 7, more: true })).toEqual([{ id: 7, backMs: null }]);
  expect(ask()).toEqual([{ id: 7, backMs: null }]);
});

test('what is heard of an account while it is asked is not forgotten', () => {
  ready.found([7, 8]);
  const asked = ready.due();
  ready.hear(8);
  ready.answered(asked, [], time);
  expect(ask().map(one => one.id)).toEqual([8]);
  expect(ready.any).toBe(false);
});

test('at most 32 are asked at a time, each in its turn', () => {
  ready.found(Array.from({ length: 40 }, (_, i) => i));
  const more = Array.from({ length: 40 }, (_, i) => ({ accountId: i, more: true }));
  expect(ask(...more).map(one => one.id)).toEqual(Array.from({ length: 32 }, (_, i) => i));
  expect(
    ask(...more)
      .map(one => one.id)
      .slice(0, 9),
  ).toEqual([32, 33, 34, 35, 36, 37, 38, 39, 0]);
});
