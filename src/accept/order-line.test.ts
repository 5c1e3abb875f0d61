// What happens when more orders come than can be stored: who waits, who gets 503, and that it ends by itself.
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { type Log, warnSeldom } from '../log.ts';
import type { AcceptRequest } from './accept-request.ts';
import { FairWaits } from './fair-waits.ts';
import { type LineBounds, OrderLine, Overloaded, type Waiting } from './order-line.ts';

/** A database that stores a batch when the test says so. */
class Store {
  readonly line: OrderLine;
  readonly batches: Waiting[][] = [];
  readonly stored: number[] = [];
  refused = 0;
  #ends: (() => void)[] = [];

  constructor(bounds: Partial<LineBounds> = {}) {
    this.line = new OrderLine({ atOnce: 1, together: 4, recipients: 100, waitMaxMs: 1_000, ...bounds }, batch => {
      this.batches.push(batch);
      return new Promise(resolve => this.#ends.push(resolve));
    });
  }

  /** Does not wait for the answer. */
  send(accountId: number, more: object = {}): void {
    const recipients = { numbers: [1], fingerprint: 0n };
    const request = { accountId, recipients, repeatable: false, idempotency: null, ...more } as AcceptRequest;
    this.line.add(request).then(
      () => this.stored.push(accountId),
      (error: unknown) => {
        expect(error).toBeInstanceOf(Overloaded);
        this.refused++;
      },
    );
  }

  /** The batch under way is stored; the next has begun when this returns. */
  async ends(): Promise<void> {
    for (const one of this.batches.at(-1) ?? []) one.resolve({ code: 200, orderId: 1, replayed: false });
    this.#ends.shift()?.();
    for (let i = 0; i < 3; i++) await turn();
  }

  accountsOf(batch: number): number[] {
    return this.batches[batch]!.map(one => one.request.accountId);
  }
}

const realNow = performance.now;
afterEach(() => {
  performance.now = realNow;
});

function clockAt(ms: number): void {
  performance.now = () => ms;
}

test('one account’s flood waits behind itself: another’s order goes with the next batch', async () => {
  const store = new Store();
  for (let i = 0; i < 100; i++) store.send(1);
  await turn();
  store.send(2);
  store.send(3);
  await store.ends();
  expect(store.accountsOf(0)).toEqual([1, 1, 1, 1]);
  expect(store.accountsOf(1).sort()).toEqual([1, 1, 2, 3]);
});

test('orders of one account keep their order, and nobody is served twice before everybody was', () => {
  const waits = new FairWaits<string>();
  for (const item of ['a1', 'a2', 'a3', 'a4', 'a5']) waits.add(1, item);
  for (const item of ['b1', 'b2']) waits.add(2, item);
  waits.add(3, 'c1');
  const taken = [waits.take(1), waits.take(1), waits.take(1), waits.take(5)];
  expect(taken.slice(0, 3)).toEqual([['a1'], ['b1'], ['c1']]);
  expect(taken[3]!.filter(one => one.startsWith('a'))).toEqual(['a2', 'a3', 'a4', 'a5']);
  expect(taken[3]).toContain('b2');
  expect(waits.size).toBe(0);
});

test('an order that would wait longer than it may is refused at once; others’ are taken, and so are its own when it is over', async () => {
  clockAt(0);
  const store = new Store();
  for (let i = 0; i < 4; i++) store.send(1);
  await turn();
  // Half a second for each: two a second are what can be sustained.
  clockAt(10_000);
  await store.ends();
  for (let i = 0; i < 20; i++) store.send(1);
  await turn();
  expect(store.refused).toBe(8);
  store.send(2);
  await turn();
  expect(store.refused).toBe(8);
  while (store.stored.length < 17) await store.ends();
  expect(store.stored.filter(account => account === 1)).toHaveLength(16);
  expect(store.stored.filter(account => account === 2)).toHaveLength(1);
  for (let i = 0; i < 8; i++) store.send(1);
  await turn();
  expect(store.refused).toBe(8);
});

test('however quick it is, an account has at most five thousand waiting, and another still finds a place', async () => {
  const store = new Store();
  for (let i = 0; i < 6_000; i++) store.send(1);
  await turn();
  expect(store.refused).toBeGreaterThan(900);
  const before = store.refused;
  store.send(2);
  await turn();
  expect(store.refused).toBe(before);
});

test('a whole batch does not wait for the end of a turn in which thousands ask', async () => {
  const store = new Store();
  for (let i = 0; i < 4; i++) store.send(1);
  expect(store.batches).toHaveLength(1);
});

test('two orders with one key, or one fingerprint where repeats are refused, do not travel together; nobody else waits for them', async () => {
  const store = new Store();
  const named = (fingerprint: bigint, key?: string) => ({
    recipients: { numbers: [1], fingerprint },
    repeatable: true,
    idempotency: key ? { key } : null,
  });
  for (const more of [named(1n), named(1n), named(2n, 'a'), named(3n, 'a')]) store.send(1, more);
  store.send(2, named(1n));
  await turn();
  const of = (batch: number) =>
    store.batches[batch]!.map(one => `${one.request.accountId} ${one.request.recipients.fingerprint}`);
  await store.ends();
  await expect.poll(() => store.batches.length).toBe(2);
  expect(store.batches.map((_, i) => of(i).sort())).toEqual([
    ['1 1', '1 2'],
    ['1 1', '1 3', '2 1'],
  ]);
});

test('small orders travel together up to so many recipients', async () => {
  const store = new Store();
  for (let i = 0; i < 4; i++) store.send(1, { recipients: { numbers: new Array(40).fill(1), fingerprint: 0n } });
  await store.ends();
  expect(store.batches.map(one => one.length)).toEqual([2, 2]);
});

test('what happens thousands of times a second is one line in the log, which says how often', () => {
  const said: object[] = [];
  const log = { warn: (fields: object) => said.push(fields) } as unknown as Log;
  for (const ms of [0, 1, 2, 999, 1_000, 1_001]) {
    clockAt(ms);
    warnSeldom(log, { account: 7 }, 'overloaded');
  }
  expect(said).toEqual([
    { account: 7, times: 1 },
    { account: 7, times: 4 },
  ]);
});
