import { beforeEach, expect, test } from 'vitest';
import { loadLanguage, withTexts } from '../text/language.ts';
import { axisLabel, insteadOfLine, momentLabel, needsDots, roundTicks } from './axis.ts';

beforeEach(() => withTexts(['frame'], () => loadLanguage('tr')));

test('an axis has round steps, and every label of it says exactly its own figure', () => {
  expect(roundTicks(13_788)).toEqual([0, 5_000, 10_000, 15_000]);
  expect(roundTicks(13_788).map(axisLabel)).toEqual(['0', '5.000', '10.000', '15.000']);
  expect(roundTicks(7)).toEqual([0, 2, 4, 6, 8]);
  expect(roundTicks(1)).toEqual([0, 1]);
  expect(roundTicks(0)).toEqual([0, 1]);
  expect(roundTicks(4_200_000).map(one => axisLabel(one).replace(/\s/u, ' '))).toEqual(['0', '2 Mn', '4 Mn', '6 Mn']);
});

test('no two labels of an axis are alike, and the largest value is on it, whatever the value', () => {
  for (let max = 0; max < 3_000_000; max = Math.ceil(max * 1.07 + 1)) {
    const ticks = roundTicks(max);
    expect(ticks.at(-1)).toBeGreaterThanOrEqual(max);
    expect(ticks.length).toBeLessThanOrEqual(6);
    expect(new Set(ticks.map(axisLabel)).size).toBe(ticks.length);
  }
});

test('moments of a curve within a day are times of Turkey, those of a longer one have dates', () => {
  const start = '2026-11-15T20:59:00Z';
  expect(momentLabel([start, '2026-11-15T21:00:00Z'])(start)).toBe('23:59:00');
  expect(momentLabel([start, '2026-11-16T20:59:00Z'])(start)).toBe('15.11.2026 23:59');
});

test('a point that stands alone between gaps is drawn as a dot, a line without gaps has none', () => {
  const minutes = Array.from({ length: 60 }, (_, at) => ({ sent: at, ...(at === 30 ? { lag: 2.5 } : {}) }));
  expect(needsDots(minutes, ['lag'])).toBe(true);
  expect(needsDots(minutes, ['sent'])).toBe(false);
  expect(needsDots(minutes, ['sent', 'lag'])).toBe(true);
});

test('a line needs two measured moments and a value that is not 0; otherwise words stand in its place', () => {
  const names = ['a', 'b'];
  expect(insteadOfLine([], names)).toBe('gathering');
  expect(insteadOfLine([{ x: '10:00', a: 4 }, { x: '10:01' }], names)).toBe('gathering');
  expect(insteadOfLine([{ a: 0 }, { a: 0, b: 0 }], names)).toBe('allZero');
  expect(insteadOfLine([{ a: 0 }, { b: 3 }], names)).toBeNull();
});
