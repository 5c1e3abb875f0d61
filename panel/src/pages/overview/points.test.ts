import { expect, test } from 'vitest';
import { ratePoints, volumePoints } from './points.ts';

const point = (at: string, delivered: number) => ({ at, delivered, undelivered: 0, filtered: 0, waiting: 1 });
const series = [point('10', 4), point('11', 0), point('12', 2)];
const label = (at: string) => `${at}:00`;

test('only the step that is still running is marked', () => {
  expect(volumePoints(series, label).map(one => [one.x, one.isRunning])).toEqual([
    ['10:00', false],
    ['11:00', false],
    ['12:00', true],
  ]);
});

test('a step in which nothing ended has no rate, and the mark stays with the running one', () => {
  expect(ratePoints(series, label)).toEqual([
    { x: '10:00', rate: 1, isRunning: false },
    { x: '12:00', rate: 1, isRunning: true },
  ]);
  expect(ratePoints([point('10', 4), point('11', 0)], label).some(one => one.isRunning)).toBe(false);
});
