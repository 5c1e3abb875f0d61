import { expect, test } from 'vitest';
import { Overloaded } from '../accept/order-line.ts';
import { limits } from '../limits.ts';
import { Refusal } from '../status.ts';
import { Admission, type Caller, type Hold } from './admission.ts';

const large = 2 * 1024 * 1024;
const most = limits.bodyBytes;

/** Reads bodies whole at once and remembers which are worked on. */
function watcher(admission: Admission) {
  const inside: string[] = [];
  return {
    inside,
    enter: async (name: string, bytes: number, caller: Caller = 'customer') => {
      const hold = admission.begin(caller);
      await hold.add(bytes);
      await hold.work();
      inside.push(name);
      return () => {
        if (inside.includes(name)) inside.splice(inside.indexOf(name), 1);
        hold.leave();
      };
    },
  };
}

const settled = () => new Promise(setImmediate);

test('three large bodies are worked on at once, the others in the order they came', async () => {
  const { inside, enter } = watcher(new Admission());
  const leave = await Promise.all(['a', 'b', 'c'].map(name => enter(name, large)));
  const waiting = ['d', 'e'].map(name => enter(name, large));
  await settled();
  expect(inside).toEqual(['a', 'b', 'c']);
  leave[1]!();
  await waiting[0];
  expect(inside).toEqual(['a', 'c', 'd']);
  leave[0]!();
  await waiting[1];
  expect(inside).toEqual(['c', 'd', 'e']);
});

test('the largest body of all is worked on when nobody else is, and alone', async () => {
  const { inside, enter } = watcher(new Admission());
  const first = await enter('first', large);
  const huge = enter('huge', most - large);
  const after = enter('after', 2 * large);
  await settled();
  expect(inside).toEqual(['first', 'huge']);
  first();
  (await huge)();
  await after;
  expect(inside).toEqual(['after']);
});

test('what is announced holds nothing: only bytes that came do', async () => {
  const admission = new Admission();
  const idle = Array.from({ length: 1_000 }, () => admission.begin('customer'));
  for (const hold of idle) expect(hold.add(1)).toBeUndefined();
  const { enter } = watcher(admission);
  (await enter('one', large))();
});

test('while a share is full the oldest body is read to its end and the others wait for it', async () => {
  const admission = new Admission();
  const [oldest, other] = [admission.begin('customer'), admission.begin('customer')];
  expect(oldest.add(large)).toBeUndefined();
  let goesOn = false;
  const room = other.add(most - large)!.then(() => {
    goesOn = true;
  });
  expect(oldest.add(large)).toBeUndefined();
  await settled();
  expect(goesOn).toBe(false);
  oldest.leave();
  await room;
});

test('strangers that hold all they may hold up no customer, and one who turns out to be a customer is let over', async () => {
  const admission = new Admission();
  const strangers = watcher(admission);
  for (const name of ['a', 'b']) await strangers.enter(name, large, 'stranger');
  const full = admission.begin('stranger');
  void full.add(most);
  const late = admission.begin('stranger');
  const waiting = late.add(large)!;
  waiting.catch(() => {});
  const { enter } = watcher(admission);
  (await enter('customer', most))();

  const hidden = new Admission();
  const hold = hidden.begin('stranger');
  await hold.add(large);
  await hold.work();
  await hold.verify();
  const rest = watcher(hidden);
  for (const name of ['a', 'b']) await rest.enter(name, large, 'stranger');
  void rest.enter('c', large, 'stranger').catch(() => {});
  await settled();
  expect(rest.inside).toEqual(['a', 'b']);
});

test('who leaves gives back what it held, once, wherever it was', async () => {
  const admission = new Admission();
  const { inside, enter } = watcher(admission);
  const working = await Promise.all(['a', 'b', 'c'].map(name => enter(name, large)));
  const waits = admission.begin('customer');
  void waits.add(large);
  const turn = waits.work();
  waits.leave();
  waits.leave();
  await expect(turn).rejects.toBeInstanceOf(Refusal);
  const next = enter('d', large);
  working[0]!();
  working[0]!();
  await next;
  expect(inside.sort()).toEqual(['b', 'c', 'd']);
  expect(() => waits.add(1)).toThrow(Refusal);
  await expect(waits.work()).rejects.toBeInstanceOf(Refusal);
});

test('beyond a hundred that wait the next is turned away', async () => {
  const admission = new Admission();
  const enter = async (): Promise<Hold> => {
    const hold = admission.begin('customer');
    await hold.add(limits.largeBodyBytes);
    await hold.work();
    return hold;
  };
  const working = await Promise.all([enter(), enter(), enter()]);
  const waiting = Array.from({ length: 100 }, enter);
  await settled();
  await expect(enter()).rejects.toBeInstanceOf(Overloaded);
  for (const one of working) one.leave();
  for (const one of waiting) (await one).leave();
});
