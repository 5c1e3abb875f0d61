import fc from 'fast-check';
import { expect, test } from 'vitest';
import { number, numbers } from '../../test/support/customers/samples.ts';
import type { OrderDraft } from './draft.ts';
import { readRecipients } from './recipients.ts';

function draft(texts: OrderDraft['texts'], sender = 'PEYK'): OrderDraft {
  return { sender, texts, sendAt: null, consentCheck: false, consentList: null, source: 'api' };
}

const one = (recipients: unknown[], text = 'Merhaba') => readRecipients(draft([{ text, recipients }]), false);
const value = (i = 0) => Number(`90${number(i)}`);

test('numbers stay in the order given, duplicates merged into the first', async () => {
  expect((await one([number(2), number(1), `0${number(2)}`, number(0)])).numbers).toEqual([
    value(2),
    value(1),
    value(0),
  ]);
});

test('a bad number keeps its place, its text and its own duplicates', async () => {
  const found = await one(['x', number(1), 'y', 'x', number(1)]);
  expect(found).toMatchObject({ numbers: [0, value(1), 0], badAt: [1, 3], badTexts: ['x', 'y'], textNos: null });
});

test('with several texts each recipient knows its text, and the same number may get both', async () => {
  const texts = [
    { text: 'bir', recipients: [number(0), number(0), number(1)] },
    { text: 'iki', recipients: [number(0)] },
  ];
  expect(await readRecipients(draft(texts), false)).toMatchObject({
    numbers: [value(0), value(1), value(0)],
    textNos: [1, 1, 2],
  });
});

test('no recipients, too many, or only bad ones are refused with 452', async () => {
  for (const recipients of [[], ['x'], ['x', 'y'], Array(50_001).fill(number())])
    await expect(one(recipients)).rejects.toMatchObject({ code: 452 });
  expect((await one(numbers(50_000))).numbers).toHaveLength(50_000);
});

test('the fingerprint is that of the set: neither order nor spelling nor duplicates nor bad ones matter', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.nat(999), { minLength: 1, maxLength: 30 }),
      fc.infiniteStream(fc.nat()),
      async (places, picks) => {
        const spelled = places.flatMap(i =>
          [number(i), `+90${number(i)}`, Number(number(i))].slice(0, 1 + (picks.next().value! % 3)),
        );
        const shuffled = spelled
          .map(item => ({ item, at: picks.next().value! }))
          .sort((a, b) => a.at - b.at)
          .map(({ item }) => item);
        expect((await one([...shuffled, 'bad'])).fingerprint).toBe((await one(places.map(number))).fingerprint);
      },
    ),
  );
});

test('another text, sender, recipient or share of recipients has another fingerprint', async () => {
  const share = (first: string[], second: string[]) =>
    readRecipients(
      draft([
        { text: 'bir', recipients: first },
        { text: 'iki', recipients: second },
      ]),
      false,
    );
  const all = await Promise.all([
    one(numbers(2)),
    one(numbers(2), 'Merhaba '),
    one(numbers(3)),
    readRecipients(draft([{ text: 'Merhaba', recipients: numbers(2) }], 'BASKA'), false),
    share(numbers(1), numbers(1, 1)),
    share(numbers(1, 1), numbers(1)),
    share(numbers(2), numbers(1)),
  ]);
  expect(new Set(all.map(found => found.fingerprint)).size).toBe(7);
});

test('thousands of texts are read with pauses in which others are served, and one with none', async () => {
  const turns = async (count: number) => {
    const texts = numbers(count).map(recipient => ({ text: 'Merhaba', recipients: [recipient] }));
    let served = 0;
    let isRead = false;
    const serve = () => {
      served++;
      if (!isRead) setImmediate(serve);
    };
    setImmediate(serve);
    await readRecipients(draft(texts), false).finally(() => {
      isRead = true;
    });
    return served;
  };
  expect([await turns(1), await turns(199)]).toEqual([0, 0]);
  expect(await turns(10_000)).toBeGreaterThan(90);
});
