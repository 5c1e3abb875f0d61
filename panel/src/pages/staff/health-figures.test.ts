// Rates of the health page.
import { expect, test } from 'vitest';
import { type Health, ratePoint } from './health-figures.ts';

const answer = (at: string, submitted: number) =>
  ({ at, counts: { requests: 0, submitted, receipts: 0, settled: 0 } }) as unknown as Health;

test('a rate is what was counted between two answers, and nothing before the second or after a restart', () => {
  const [first, second] = [answer('2026-01-01T00:00:00Z', 100), answer('2026-01-01T00:00:04Z', 150)];
  expect(ratePoint(first, 0, undefined)).toMatchObject({ submitted: 0 });
  expect(ratePoint(second, 0, first)).toMatchObject({ submitted: 12.5 });
  expect(ratePoint(first, 0, second)).toMatchObject({ submitted: 0 });
});
