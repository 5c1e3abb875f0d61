import { expect, test } from 'vitest';
import { coalesce } from './coalesce.ts';

/** A load whose answers the test controls. */
function controlled() {
  const calls: { keys: string[]; answer(values: Map<string, number>): void; fail(error: Error): void }[] = [];
  const find = coalesce<string, number>(
    keys => new Promise((resolve, reject) => calls.push({ keys, answer: resolve, fail: reject })),
  );
  return { calls, find };
}

const lengths = (keys: string[]) => new Map(keys.map(key => [key, key.length]));

test('look-ups of one turn share a load, each key once, and each caller gets its own answer', async () => {
  const { calls, find } = controlled();
  const asked = ['a', 'bb', 'a', 'none'].map(find);
  await expect.poll(() => calls.length).toBe(1);
  expect(calls[0]!.keys).toEqual(['a', 'bb', 'none']);
  calls[0]!.answer(lengths(['a', 'bb']));
  expect(await Promise.all(asked)).toEqual([1, 2, 1, undefined]);
});

test('at most two loads run at once; look-ups that come meanwhile share the next one', async () => {
  const { calls, find } = controlled();
  const first = find('a');
  await expect.poll(() => calls.length).toBe(1);
  const second = find('b');
  await expect.poll(() => calls.length).toBe(2);
  const later = ['c', 'd', 'e'].map(find);
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  expect(calls).toHaveLength(2);
  calls[0]!.answer(lengths(['a']));
  expect(await first).toBe(1);
  await expect.poll(() => calls.length).toBe(3);
  expect(calls[2]!.keys).toEqual(['c', 'd', 'e']);
  calls[1]!.answer(lengths(['b']));
  calls[2]!.answer(lengths(['c', 'd', 'e']));
  expect(await Promise.all([second, ...later])).toEqual([1, 1, 1, 1]);
});

test('an answer is never older than its look-up', async () => {
  let value = 1;
  const find = coalesce<string, number>(async keys => new Map(keys.map(key => [key, value])));
  expect(await find('a')).toBe(1);
  value = 2;
  expect(await find('a')).toBe(2);
});

test('a failed load fails only its callers; the next one works', async () => {
  const { calls, find } = controlled();
  const asked = [find('a'), find('b')];
  await expect.poll(() => calls.length).toBe(1);
  calls[0]!.fail(new Error('down'));
  for (const one of asked) await expect(one).rejects.toThrow('down');
  const next = find('a');
  await expect.poll(() => calls.length).toBe(2);
  calls[1]!.answer(lengths(['a']));
  expect(await next).toBe(1);
});

test('a load has 500 keys at most', async () => {
  const sizes: number[] = [];
  const find = coalesce<number, number>(async keys => {
    sizes.push(keys.length);
    return new Map(keys.map(key => [key, key]));
  });
  const answers = await Promise.all(Array.from({ length: 1_200 }, (_, i) => find(i)));
  expect(answers).toEqual(Array.from({ length: 1_200 }, (_, i) => i));
  expect(sizes).toEqual([500, 500, 200]);
});
