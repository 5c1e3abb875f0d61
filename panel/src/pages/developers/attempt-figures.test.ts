import { expect, test } from 'vitest';
import { attemptLook, attemptShare, medianMs } from './attempt-figures.ts';

const delivered = (answerMs: number) => ({ state: 'delivered' as const, answerMs });

test('an attempt is delivered, slow above three seconds, or failed', () => {
  expect(attemptLook(delivered(84))).toBe('delivered');
  expect(attemptLook(delivered(3_001))).toBe('slow');
  expect(attemptLook({ state: 'pending', answerMs: 40 })).toBe('failed');
  expect(attemptLook({ state: 'given-up', answerMs: null })).toBe('failed');
});

test('a bar is higher the longer the answer took, never empty, and full for a failure', () => {
  const shares = [1, 10, 84, 900, 10_000, 60_000].map(ms => attemptShare(delivered(ms)));
  expect(shares).toEqual([...shares].sort((a, b) => a - b));
  expect(shares[0]).toBeGreaterThan(0.1);
  expect(shares.at(-1)).toBe(1);
  expect(attemptShare({ state: 'given-up', answerMs: null })).toBe(1);
});

test('the median is of answers that were taken, and nothing where there is none', () => {
  expect(medianMs([delivered(90), delivered(10), delivered(50), { state: 'pending', answerMs: 9_000 }])).toBe(50);
  expect(medianMs([{ state: 'pending', answerMs: 20 }])).toBeNull();
});
