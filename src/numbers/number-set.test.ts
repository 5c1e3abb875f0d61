import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NumberSet } from './number-set.ts';

const number = fc.oneof(
  fc.integer({ min: 905_000_000_000, max: 905_000_000_400 }),
  fc.integer({ min: 1, max: 999_999_999_999_999 }),
);

function setOf(numbers: number[]): NumberSet {
  const set = new NumberSet(numbers.length);
  for (const one of numbers) set.add(one);
  return set;
}

test('each number is new exactly once, as in a Set', () => {
  fc.assert(
    fc.property(fc.array(number, { maxLength: 300 }), numbers => {
      const set = new NumberSet(numbers.length);
      const known = new Set<number>();
      for (const one of numbers) {
        expect(set.add(one)).toBe(!known.has(one));
        known.add(one);
      }
      expect(set.size).toBe(known.size);
    }),
  );
});

test('the name depends on the numbers and not on their order or repetition', () => {
  fc.assert(
    fc.property(fc.array(number, { minLength: 1, maxLength: 100 }), numbers => {
      expect(setOf([...numbers].reverse().concat(numbers)).name).toBe(setOf(numbers).name);
    }),
  );
});

test('sets that differ in one number, or in which two numbers trade a digit, have different names', () => {
  const base = Array.from({ length: 20_000 }, (_, i) => 905_300_000_000 + i);
  const names = new Set<string>([setOf(base).name]);
  for (let i = 0; i < 500; i++) names.add(setOf([...base.slice(0, i), 905_400_000_000, ...base.slice(i + 1)]).name);
  for (let i = 0; i < 500; i++) names.add(setOf([...base, 905_500_000_000 + i, 905_600_000_000 - i]).name);
  expect(names.size).toBe(1_001);
});
