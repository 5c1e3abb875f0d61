import { expect, test } from 'vitest';
import type { OutputOf } from '../../src/panel-api/contract/contract.ts';
import { endedOf, forward, forwardAll } from './order-progress.ts';

const counters = (delivered: number, undelivered: number, withCarrier: number) => ({
  total: 100,
  delivered,
  undelivered,
  filtered: 10,
  withCarrier,
  queued: 90 - delivered - undelivered - withCarrier,
});
const sum = (one: ReturnType<typeof counters>) =>
  one.delivered + one.undelivered + one.filtered + one.withCarrier + one.queued;

test('an older reading that comes late changes nothing, and the segments still sum to the total', () => {
  const order = { id: 1, sender: 'APITEST' };
  forward({ ...order, ...counters(40, 5, 20) });
  const shown = forward({ ...order, ...counters(38, 4, 30) });
  expect(shown).toMatchObject({ sender: 'APITEST', delivered: 40, undelivered: 5, withCarrier: 20 });
  expect(sum(shown)).toBe(100);
  expect(forward({ ...order, ...counters(41, 5, 19) })).toMatchObject({ delivered: 41, withCarrier: 19 });
});

test('messages that went back to the queue are shown so: only what has ended is kept', () => {
  forward({ id: 2, ...counters(10, 0, 50) });
  expect(forward({ id: 2, ...counters(10, 0, 0) })).toMatchObject({ withCarrier: 0, queued: 80 });
});

test('over any order of readings the ended ones never go back', () => {
  let seen = 0;
  for (let i = 0; i < 2_000; i++) {
    const ended = Math.min(80, Math.max(0, Math.floor(i / 25) + ((i * 7919) % 11) - 5));
    const shown = forward({ id: 3, ...counters(ended, 0, 0) });
    expect(endedOf(shown)).toBeGreaterThanOrEqual(seen);
    expect(sum(shown)).toBe(100);
    seen = endedOf(shown);
  }
});

test('the poll, the lists and the page of an order share one memory', () => {
  const row: object = { id: 4, ...counters(50, 0, 0) };
  forwardAll('orders.read', row as OutputOf<'orders.read'>);
  const older = { id: 4, ...counters(20, 0, 0) };
  const live: object = { running: [older] };
  const list: object = { rows: [older] };
  expect(forwardAll('live', live as OutputOf<'live'>).running[0]).toMatchObject({ delivered: 50 });
  expect(forwardAll('orders.list', list as OutputOf<'orders.list'>).rows[0]).toMatchObject({ delivered: 50 });
});
