import { expect, test } from 'vitest';
import { WritingPace } from './writing-pace.ts';

test('marks are ahead by what is written in some milliseconds, and not ahead when nothing is written', () => {
  const pace = new WritingPace();
  const leads = [0, 500, 1_000, 1_005, 1_010, 1_010, 1_010].map((written, i) => pace.lead(written, i * 100));
  expect(leads).toEqual([0, 60, 60, 1, 1, 0, 0]);
});
