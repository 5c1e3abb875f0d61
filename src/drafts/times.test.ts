import { expect, test } from 'vitest';
import { afterQuiet, batchTimes } from './times.ts';

const night = { from: '21:00', to: '09:00' };
// Turkey is three hours ahead.
const turkey = (time: string) => new Date(`2026-03-0${time}:00+03:00`);

test.each([
  ['2T20:59', '2T20:59'],
  ['2T21:00', '3T09:00'],
  ['2T23:30', '3T09:00'],
  ['3T00:00', '3T09:00'],
  ['3T08:59', '3T09:00'],
  ['3T09:00', '3T09:00'],
])('with a quiet night a send of %s begins at %s', (wanted, begins) => {
  expect(afterQuiet(turkey(wanted), night)).toEqual(turkey(begins));
});

test('quiet hours within one day move a send to their end', () => {
  const noon = { from: '12:00', to: '13:30' };
  expect(afterQuiet(turkey('2T12:15'), noon)).toEqual(turkey('2T13:30'));
  expect(afterQuiet(turkey('2T13:30'), noon)).toEqual(turkey('2T13:30'));
});

test('batches follow each other by the hour and wait for the morning', () => {
  const times = batchTimes(turkey('2T18:30'), night);
  const first = Array.from({ length: 5 }, () => times.next().value);
  expect(first).toEqual(['2T18:30', '2T19:30', '2T20:30', '3T09:00', '3T10:00'].map(turkey));
});

test('without quiet hours, or with none worth the name, nothing is moved', () => {
  const at = turkey('2T23:00');
  expect(afterQuiet(at, null)).toBe(at);
  expect(afterQuiet(at, { from: '09:00', to: '09:00' })).toBe(at);
  expect(afterQuiet(at, { from: '99:00', to: 'x' })).toBe(at);
});
