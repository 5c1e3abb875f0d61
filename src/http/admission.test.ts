import { expect, test } from 'vitest';
import { limits } from '../limits.ts';
import { Overloaded } from '../orders/order-line.ts';
import { Admission } from './admission.ts';

const small = limits.largeBodyBytes;
const large = 2 * 1024 * 1024;

/** Enters and remembers who is inside. */
function watcher(admission: Admission) {
  const inside: string[] = [];
  return {
    inside,
    enter: async (name: string, bytes: number) => {
      const leave = await admission.enter(bytes);
      inside.push(name);
      return () => {
        inside.splice(inside.indexOf(name), 1);
        leave();
      };
    },
  };
}

test('small bodies never wait', async () => {
  const admission = new Admission();
  const leave = await admission.enter(limits.bodyBytes);
  const queued = admission.enter(limits.bodyBytes);
  await Promise.all(Array.from({ length: 1_000 }, () => admission.enter(small)));
  leave();
  (await queued)();
});

test('three large bodies are worked on at once, the others enter in the order they came', async () => {
  const { inside, enter } = watcher(new Admission());
  const leave = await Promise.all(['a', 'b', 'c'].map(name => enter(name, large)));
  const waiting = ['d', 'e'].map(name => enter(name, large));
  await new Promise(setImmediate);
  expect(inside).toEqual(['a', 'b', 'c']);
  leave[1]!();
  await waiting[0];
  expect(inside).toEqual(['a', 'c', 'd']);
  leave[0]!();
  await waiting[1];
  expect(inside).toEqual(['c', 'd', 'e']);
});

test('the largest body of all is let in when nobody else is inside, and alone', async () => {
  const { inside, enter } = watcher(new Admission());
  const first = await enter('first', large);
  const huge = enter('huge', limits.bodyBytes);
  const after = enter('after', large);
  await new Promise(setImmediate);
  expect(inside).toEqual(['first']);
  first();
  (await huge)();
  await after;
  expect(inside).toEqual(['after']);
});

test('leaving twice gives one place back', async () => {
  const admission = new Admission();
  const leave = await Promise.all([large, large, large].map(bytes => admission.enter(bytes)));
  leave[0]!();
  leave[0]!();
  const { inside, enter } = watcher(admission);
  const one = await enter('one', large);
  const two = enter('two', large);
  await new Promise(setImmediate);
  expect(inside).toEqual(['one']);
  one();
  await two;
});

test('beyond a hundred that wait the next is turned away', async () => {
  const admission = new Admission();
  const enter = () => admission.enter(large);
  const leave = await Promise.all([enter(), enter(), enter()]);
  const waiting = Array.from({ length: 100 }, enter);
  await expect(enter()).rejects.toBeInstanceOf(Overloaded);
  for (const one of leave) one();
  for (const one of waiting) (await one)();
});
