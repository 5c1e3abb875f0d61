import { expect, test } from 'vitest';
import { SlowDown } from './slow-down.ts';

const delays = (slow: SlowDown, times: number, address = '10.0.0.1', key: unknown = 'k') =>
  Array.from({ length: times }, () => slow.failed(address, key));

test('the first 20 failures are answered at once, the next ever later, none later than 2 s', () => {
  const found = delays(new SlowDown(), 30);
  expect(found.slice(0, 20)).toEqual(Array(20).fill(0));
  expect(found.slice(20)).toEqual([250, 500, 1_000, ...Array(7).fill(2_000)]);
});

test('another address or another key is counted by itself', () => {
  const slow = new SlowDown();
  delays(slow, 30);
  expect(slow.failed('10.0.0.2', 'k')).toBe(0);
  expect(slow.failed('10.0.0.1', 'other')).toBe(0);
});

test('failures without a key are counted by address', () => {
  const slow = new SlowDown();
  for (const key of [false, null, 5, {}]) delays(slow, 5, '10.0.0.1', key);
  expect(slow.failed('10.0.0.1', undefined)).toBe(250);
});

test('failures of other processes count too, and each own failure is published once', () => {
  const published: string[] = [];
  const slow = new SlowDown(name => published.push(name));
  const other = new SlowDown();
  for (let i = 0; i < 20; i++) slow.failed('10.0.0.1', 'k');
  for (const name of published) other.hear(name);
  expect(published).toHaveLength(20);
  expect(other.failed('10.0.0.1', 'k')).toBe(250);
});

test('endless different keys do not make it forget the one that is being guessed now', () => {
  const slow = new SlowDown();
  for (let i = 0; i < 60_000; i++) slow.hear(`10.0.0.9 ${i}`);
  expect(delays(slow, 21).at(-1)).toBe(250);
});
