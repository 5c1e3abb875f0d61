import { expect, test } from 'vitest';
import { changeOf, trendSteps } from './points.ts';

const none = { total: 0, delivered: 0, undelivered: 0, filtered: 0, credits: 0 };
const step = (at: string, delivered: number, undelivered: number) => ({
  at,
  delivered,
  undelivered,
  filtered: 1,
  waiting: 2,
  credits: delivered,
  before: { ...none, total: 7, undelivered: 3 },
});

test('only the last step is marked as still running', () => {
  const steps = trendSteps([step('a', 1, 0), step('b', 2, 0)], 'total', at => at);
  expect(steps.map(one => one.isRunning)).toEqual([false, true]);
});

test('parts of a step are drawn in a fixed order, beside what the period before had', () => {
  const [first] = trendSteps([step('a', 5, 1)], 'total', at => at);
  expect(first?.parts.map(one => [one.key, one.value])).toEqual([
    ['delivered', 5],
    ['filtered', 1],
    ['undelivered', 1],
    ['waiting', 2],
  ]);
  expect(first?.before).toBe(7);
  expect(trendSteps([step('a', 5, 1)], 'undelivered', at => at)[0]?.before).toBe(3);
});

test('a step without an end has no rate', () => {
  expect(trendSteps([step('a', 0, 0), step('b', 3, 1)], 'rate', at => at).map(one => one.rate)).toEqual([null, 0.75]);
});

test('a change against nothing is none', () => {
  expect(changeOf(5, 0)).toBeNull();
  expect(changeOf(12, 10)).toBeCloseTo(0.2);
});
