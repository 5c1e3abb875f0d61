import { expect, test } from 'vitest';
import { freshCount, updateRows } from './held-rows.ts';

type Row = { id: number; state: string };
const keyOf = (row: Row) => String(row.id);
const row = (id: number, state = 'sending'): Row => ({ id, state });

test('rows keep their places and take what is newly known', () => {
  const shown = [row(3), row(2), row(1)];
  const read = [row(5), row(4), row(3, 'finished'), row(2), row(1)];
  expect(updateRows(shown, read, false, keyOf)).toEqual([row(3, 'finished'), row(2), row(1)]);
});

test('a row pushed off the page stays, one that left the filter goes', () => {
  const shown = [row(3), row(2), row(1)];
  expect(updateRows(shown, [row(5), row(4), row(3)], true, keyOf)).toEqual(shown);
  expect(updateRows(shown, [row(9), row(8), row(7)], true, keyOf)).toEqual(shown);
  expect(updateRows(shown, [row(4), row(3), row(1)], true, keyOf)).toEqual([row(3), row(1)]);
  expect(updateRows(shown, [row(4), row(3)], false, keyOf)).toEqual([row(3)]);
});

test('new is what came above, not what slid in below when a row left the filter', () => {
  const shown = [row(3), row(2), row(1)];
  expect(freshCount(shown, [row(5), row(4), row(3)], keyOf)).toBe(2);
  expect(freshCount(shown, [row(3), row(1), row(0)], keyOf)).toBe(0);
  expect(freshCount(shown, [row(9), row(8)], keyOf)).toBe(2);
  expect(freshCount([], [row(1)], keyOf)).toBe(1);
  expect(freshCount(shown, [], keyOf)).toBe(0);
});
