// Numbering and expiry of waiting requests, without a socket.
import { expect, test } from 'vitest';
import { pdus } from './pdus.ts';
import { lateMax, Pending, sequenceMax } from './pending.ts';

const answerId = pdus.submit_sm_resp.id;
const waiting = (token: number, deadlineMs = 0) => ({ answerId, deadlineMs, windowed: true, settle: null, token });

test('sequence numbers run to 0x7fffffff and begin again at 1', () => {
  const pending = new Pending<number>();
  pending.startAfter(sequenceMax - 1);
  expect([pending.add(waiting(1)), pending.add(waiting(2))]).toEqual([sequenceMax, 1]);
});

test('a number that still waits, or that expired and is remembered, is not given again', () => {
  const pending = new Pending<number>();
  expect(pending.add(waiting(1, 10))).toBe(1);
  expect(pending.add(waiting(2, 20))).toBe(2);
  expect(pending.expire(10)).toHaveLength(1);
  pending.startAfter(sequenceMax);
  expect(pending.add(waiting(3, 30))).toBe(3);
});

test('only what is due expires, in the order of sending', () => {
  const pending = new Pending<number>();
  for (const deadlineMs of [10, 20, 30]) pending.add(waiting(deadlineMs, deadlineMs));
  expect(pending.expire(20).map(w => w.token)).toEqual([10, 20]);
  expect(pending.windowed).toBe(1);
  expect(pending.takeLate(1, answerId)?.token).toBe(10);
  expect(pending.takeLate(1, answerId)).toBeUndefined();
});

test('the memory of expired requests is bounded, oldest forgotten first', () => {
  const pending = new Pending<number>();
  for (let i = 0; i < lateMax + 5; i++) pending.add(waiting(i));
  pending.expire(0);
  expect(pending.takeLate(5, answerId)).toBeUndefined();
  expect(pending.takeLate(6, answerId)?.token).toBe(5);
});
