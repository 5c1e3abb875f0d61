import fc from 'fast-check';
import { expect, test } from 'vitest';
import { number, numbers } from '../../test/support/samples.ts';
import { Refusal } from '../status.ts';
import type { OrderDraft } from './draft.ts';
import { parseRecipients, readRecipients } from './recipients.ts';

function draft(texts: OrderDraft['texts'], sender = 'PEYK'): OrderDraft {
  return { sender, texts, sendAt: null, consentCheck: false, consentList: null, source: 'api' };
}

const one = (recipients: unknown[], text = 'Merhaba') => parseRecipients(draft([{ text, recipients }]), false);
const value = (i = 0) => Number(`90${number(i)}`);

test('numbers stay in the order given, duplicates merged into the first', () => {
  expect(one([number(2), number(1), `0${number(2)}`, number(0)]).numbers).toEqual([value(2), value(1), value(0)]);
});

test('a bad number keeps its place, its text and its own duplicates', () => {
  const found = one(['x', number(1), 'y', 'x', number(1)]);
  expect(found).toMatchObject({ numbers: [0, value(1), 0], badAt: [1, 3], badTexts: ['x', 'y'], textNos: null });
});

test('with several texts each recipient knows its text, and the same number may get both', () => {
  const texts = [
    { text: 'bir', recipients: [number(0), number(0), number(1)] },
    { text: 'iki', recipients: [number(0)] },
  ];
  expect(parseRecipients(draft(texts), false)).toMatchObject({
    numbers: [value(0), value(1), value(0)],
    textNos: [1, 1, 2],
  });
});

test('no recipients, too many, or only bad ones are refused with 452', () => {
  for (const recipients of [[], ['x'], ['x', 'y'], Array(50_001).fill(number())])
    expect(() => one(recipients)).toThrow(expect.objectContaining({ code: 452 }));
  expect(() => one(numbers(50_000))).not.toThrow(Refusal);
});

test('the fingerprint is that of the set: neither order nor spelling nor duplicates nor bad ones matter', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.nat(999), { minLength: 1, maxLength: 30 }),
      fc.infiniteStream(fc.nat()),
      (places, picks) => {
        const spelled = places.flatMap(i =>
          [number(i), `+90${number(i)}`, Number(number(i))].slice(0, 1 + (picks.next().value! % 3)),
        );
        const shuffled = spelled
          .map(item => ({ item, at: picks.next().value! }))
          .sort((a, b) => a.at - b.at)
          .map(({ item }) => item);
        expect(one([...shuffled, 'bad']).fingerprint).toBe(one(places.map(number)).fingerprint);
      },
    ),
  );
});

test('another text, sender, recipient or share of recipients has another fingerprint', () => {
  const base = one(numbers(2)).fingerprint;
  const share = (first: string[], second: string[]) =>
    parseRecipients(
      draft([
        { text: 'bir', recipients: first },
        { text: 'iki', recipients: second },
      ]),
      false,
    ).fingerprint;
  const others = [
    one(numbers(2), 'Merhaba ').fingerprint,
    one(numbers(3)).fingerprint,
    parseRecipients(draft([{ text: 'Merhaba', recipients: numbers(2) }], 'BASKA'), false).fingerprint,
    share(numbers(1), numbers(1, 1)),
    share(numbers(1, 1), numbers(1)),
    share(numbers(2), numbers(1)),
  ];
  expect(new Set([base, ...others]).size).toBe(7);
});

test('thousands of texts are read with a pause every few hundred, and one with none', () => {
  const pauses = (count: number) => {
    const texts = numbers(count).map(recipient => ({ text: 'Merhaba', recipients: [recipient] }));
    return [...readRecipients(draft(texts), false)].length;
  };
  expect([pauses(1), pauses(199)]).toEqual([0, 0]);
  expect(pauses(10_000)).toBe(100);
});
