import { expect, test } from 'vitest';
import { deliveryRate, shownShare } from './rate.ts';

test('100 % is shown only where nothing failed, 0 % only where nothing was delivered', () => {
  expect(shownShare(deliveryRate(13_782, 6)!)).toBe(0.999);
  expect(shownShare(deliveryRate(9_999_999, 1)!)).toBe(0.999);
  expect(shownShare(deliveryRate(1, 9_999_999)!)).toBe(0.001);
  expect(shownShare(deliveryRate(5, 0)!)).toBe(1);
  expect(shownShare(deliveryRate(0, 5)!)).toBe(0);
  expect(deliveryRate(0, 0)).toBeNull();
});

test('what lies between is rounded to a tenth of a per cent', () => {
  expect(shownShare(2 / 3)).toBe(0.667);
  expect(shownShare(0.5)).toBe(0.5);
});
