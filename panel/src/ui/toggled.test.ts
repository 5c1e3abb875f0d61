import { expect, test } from 'vitest';
import { chosenAmong, toggled } from './toggled.ts';

test('choosing all and then taking one out leaves the others', () => {
  const all = toggled(new Set(), ['a', 'b', 'c'], true);
  expect([...toggled(all, ['b'], false)]).toEqual(['a', 'c']);
  expect(all.size).toBe(3);
});

test('a row that left the page is not dealt with unseen', () => {
  expect(chosenAmong(new Set(['a', 'z']), ['a', 'b'])).toEqual(['a']);
});
