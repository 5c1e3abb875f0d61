import { expect, test } from 'vitest';
import { weeksOf } from './weeks.ts';

test.each([
  ['2026-02', 5, '2026-01-26', '2026-03-01'],
  ['2027-02', 4, '2027-02-01', '2027-02-28'],
  ['2026-08', 6, '2026-07-27', '2026-09-06'],
  ['2026-11', 6, '2026-10-26', '2026-12-06'],
])('%s is shown in %i weeks from Monday %s to Sunday %s', (month, count, first, last) => {
  const weeks = weeksOf(month);
  expect([weeks.length, weeks[0]![0], weeks.at(-1)!.at(-1)]).toEqual([count, first, last]);
});
