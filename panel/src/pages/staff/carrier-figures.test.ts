import { expect, test } from 'vitest';
import type { CarrierLine, Carriers } from '../../../../src/panel-api/staff/carriers-contract.ts';
import { speedOf, totals, windowShare } from './carrier-figures.ts';

function carrierWith(...links: { submitted: number; throttled: number; windowUsed?: number }[]): CarrierLine {
  const nothing = { refused: 0, receipts: 0, windowUsed: 0 };
  return { name: 'A', windowSize: 50, links: links.map(link => ({ ...nothing, ...link })) } as unknown as CarrierLine;
}

const answer = (second: number, ...carriers: CarrierLine[]): Carriers => ({
  carriers,
  settings: [],
  fields: [],
  at: new Date(second * 1000).toISOString(),
});

test('speeds are what all links did between two answers, a second', () => {
  const before = answer(10, carrierWith({ submitted: 100, throttled: 0 }, { submitted: 50, throttled: 1 }));
  const now = answer(12, carrierWith({ submitted: 160, throttled: 4 }, { submitted: 90, throttled: 1 }));
  expect(speedOf(now, before, 'A')).toEqual({ submitted: 50, throttled: 2 });
});

test('a process that began its counts anew, a first answer and an unknown carrier stand still', () => {
  const still = { submitted: 0, throttled: 0 };
  const now = answer(12, carrierWith({ submitted: 3, throttled: 0 }));
  expect(speedOf(now, answer(10, carrierWith({ submitted: 900, throttled: 9 })), 'A')).toEqual(still);
  expect(speedOf(now, undefined, 'A')).toEqual(still);
  expect(speedOf(now, now, 'A')).toEqual(still);
  expect(speedOf(now, answer(10), 'A')).toEqual(still);
});

test('the window of a carrier is that of all its links', () => {
  const carrier = carrierWith(
    { submitted: 1, throttled: 0, windowUsed: 50 },
    { submitted: 1, throttled: 0, windowUsed: 25 },
  );
  expect(windowShare(carrier)).toBe(0.75);
  expect(windowShare(carrierWith())).toBeNull();
  expect(totals(carrier).submitted).toBe(2);
});

test('totals say since when they count: since the first of their links did', () => {
  const links = [
    { countingSince: '2026-01-02T08:00:00Z' },
    { countingSince: null },
    { countingSince: '2026-01-02T07:00:00Z' },
  ];
  const carrier = { links: links.map(link => ({ submitted: 1, throttled: 0, refused: 0, receipts: 0, ...link })) };
  expect(totals(carrier as unknown as CarrierLine).since).toBe('2026-01-02T07:00:00Z');
  expect(totals({ links: [] } as unknown as CarrierLine).since).toBeNull();
});
