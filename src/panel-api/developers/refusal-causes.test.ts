// What the API log advises: a cause that a customer can remove has a sentence of its own and a way there.
import { expect, test } from 'vitest';
import { tellRefusal } from './refusal-causes.ts';

test('an unknown order, one that is still scheduled and a wrong number each have their own advice, in both languages', () => {
  const told = [455, 456, 466].map(code => tellRefusal(code, '', null));
  expect(told.map(one => one.remedy.kind)).toEqual(['orders', 'orders', 'none']);
  for (const language of ['tr', 'en'] as const) {
    const advice = told.map(one => one.fix?.[language]);
    expect(new Set(advice).size).toBe(3);
    for (const sentence of advice) expect(sentence?.length).toBeGreaterThan(20);
  }
  expect(told[0]!.fix?.en).toMatch(/order id/);
  expect(told[1]!.fix?.en).toMatch(/time/);
  expect(told[2]!.fix?.en).toMatch(/5XXXXXXXXX/);
});
