import { expect, test } from 'vitest';
import { Fault, Unreachable } from './api.ts';
import { isOutage, pauseAfter, pauseOf } from './outage.ts';

const refused = (code: string) => new Fault({ code, tr: '', en: '' });

test('an outage is the network or a server out of service, never a refusal', () => {
  expect([new Unreachable(), refused('unavailable')].map(isOutage)).toEqual([true, true]);
  expect([refused('forbidden'), refused('451'), new Error('x'), null].map(isOutage)).toEqual(Array(4).fill(false));
});

test('pauses between tries grow and stay below half a minute, and begin anew after an answer', () => {
  expect([1, 2, 3, 4, 5, 50].map(pauseAfter)).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  const query = { state: { status: 'error', error: new Unreachable() as unknown, errorUpdateCount: 3 } };
  expect(pauseOf(query)).toBe(8_000);
  query.state = { status: 'success', error: null, errorUpdateCount: 3 };
  expect(pauseOf(query)).toBeNull();
  query.state = { status: 'error', error: new Unreachable(), errorUpdateCount: 4 };
  expect(pauseOf(query)).toBe(2_000);
  query.state = { status: 'error', error: refused('forbidden'), errorUpdateCount: 5 };
  expect(pauseOf(query)).toBeNull();
});
