// What the API log advises: a cause that a customer can remove has a sentence of its own and a way there.
import { expect, test } from 'vitest';
import { describeRefusal } from './refusal-causes.ts';

test('an unknown order, one that is still scheduled and a wrong number each have their own advice, in both languages', () => {
  const described = [455, 456, 466].map(code => describeRefusal(code, '', null));
  expect(described.map(one => one.remedy.kind)).toEqual(['orders', 'orders', 'none']);
  for (const language of ['tr', 'en'] as const) {
    const advice = described.map(one => one.fix?.[language]);
    expect(new Set(advice).size).toBe(3);
    for (const sentence of advice) expect(sentence?.length).toBeGreaterThan(20);
  }
  expect(described[0]!.fix?.en).toMatch(/order id/);
  expect(described[1]!.fix?.en).toMatch(/time/);
  expect(described[2]!.fix?.en).toMatch(/5XXXXXXXXX/);
});
