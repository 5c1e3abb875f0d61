// libphonenumber-js is the reference: its `mobile` metadata knows which Turkish numbers are mobile numbers, its `max` metadata
// which foreign numbers exist.
import fc from 'fast-check';
import { parsePhoneNumberFromString as parseAny } from 'libphonenumber-js/max';
import { parsePhoneNumberFromString as parseMobile } from 'libphonenumber-js/mobile';
import { describe, expect, test } from 'vitest';
import { operatorOf } from './operators.ts';
import { badNumberText, formatNumber, parseNumber, parseNumbers } from './phone.ts';

const isTurkishMobile = (national: string) => parseMobile(`+90${national}`, { extract: false })?.isValid() ?? false;

describe('Turkish numbers', () => {
  test('every block of a thousand prefixes and more is good exactly where the oracle says so', () => {
    for (let prefix = 500_0; prefix <= 599_9; prefix++) {
      const national = `${prefix}${String((prefix * 7919) % 1_000_000).padStart(6, '0')}`;
      expect([national, parseNumber(national, false) !== 0]).toEqual([national, isTurkishMobile(national)]);
    }
  });

  test.each(['561', '582', '516', '510', '533', '542'])(
    'random numbers of %s are good where the oracle says so',
    prefix => {
      fc.assert(
        fc.property(fc.integer({ min: 0, max: 9_999_999 }), rest => {
          const national = prefix + String(rest).padStart(7, '0');
          expect(parseNumber(national, false)).toBe(isTurkishMobile(national) ? Number(`90${national}`) : 0);
        }),
        { numRuns: 300 },
      );
    },
  );

  test.each([5610109999, 5610110000, 5610119999, 5610120000, 5616099999, 5616100000, 5616199999, 5616200000])(
    'edge of a narrow block: %i',
    national => expect(parseNumber(national, false) !== 0).toBe(isTurkishMobile(String(national))),
  );

  test.each([
    '5550000000',
    '05550000000',
    '905550000000',
    '+905550000000',
    '00905550000000',
    '+90 555 000 00 00',
    '(0555) 000-00-00',
    '+90 (555) 000 00 00',
    ' 0 555\u00a0000\u202f00 00\r\n',
    '[90] 555–000–00–00',
    5550000000,
    905550000000,
  ])('%j is the one number', input => {
    expect(parseNumber(input, false)).toBe(905550000000);
    expect(parseNumber(input, true)).toBe(905550000000);
  });

  test.each([
    '',
    ' ',
    '+',
    '0',
    '00',
    '555000000',
    '55500000000',
    '+5550000000',
    '+05550000000',
    '005550000000',
    '0905550000000',
    '+00905550000000',
    '+0905550000000',
    '9005550000000',
    '90+5550000000',
    '++905550000000',
    '5550000000a',
    '555.000.00.00',
    '555/0000000',
    '٥٥٥٠٠٠٠٠٠٠',
    '５５５０００００００',
    '5550000000\0',
    '\0\u39305550000000',
    '9\u39305550000000',
    '\0\0\x3905550000000',
    '+902120000000',
    '02120000000',
    '+905120000000',
    '+905990000000',
    '+908500000000',
    '4440000',
    '5'.repeat(1_000_000),
    ' '.repeat(1_000_000),
    5550000000.5,
    -5550000000,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    0,
    null,
    undefined,
    true,
    {},
    ['5550000000'],
  ])('bad, abroad or not: %j', input => {
    expect(parseNumber(input, false)).toBe(0);
    expect(parseNumber(input, true)).toBe(0);
  });
});

describe('foreign numbers', () => {
  test('good with + or 00 in abroad mode, bad in every other form or mode', () => {
    for (const input of ['+4915112345678', '004915112345678', '+49 (151) 1234-5678', '+12015550123', '0012015550123']) {
      expect(parseNumber(input, true)).toBe(Number(input.replace(/^00|\D/g, '').replace(/\D/g, '')));
      expect(parseNumber(input, false)).toBe(0);
    }
    for (const input of ['4915112345678', '0049015112345678', '+4', '+49', '+999123456789', '+44 (0) 20 7183 8750']) {
      expect(parseNumber(input, true)).toBe(0);
    }
    expect(parseNumber(4915112345678, true)).toBe(0);
  });

  test('any digits after the plus are good exactly where the oracle says they are that very number', () => {
    const digits = fc
      .tuple(
        fc.constantFrom('49', '44', '1', '7', '33', '994', '357', '31', '90212', '9'),
        fc.integer({ min: 0, max: 1e11 }),
      )
      .map(([country, rest]) => country + rest);
    fc.assert(
      fc.property(digits, number => {
        const known = parseAny(`+${number}`, { extract: false });
        const isGood = known?.isValid() === true && known.number === `+${number}` && !number.startsWith('90');
        expect(parseNumber(`+${number}`, true)).toBe(isGood ? Number(number) : 0);
      }),
      { numRuns: 1000 },
    );
  });
});

test('no input makes parseNumber throw, and what it returns is 0 or formats to a number it accepts', () => {
  const soup = fc.string({ unit: fc.constantFrom(...'0123456789+- ()a\u00a0\0'), maxLength: 20 });
  fc.assert(
    fc.property(fc.oneof(fc.anything(), soup), fc.boolean(), (input, abroad) => {
      const number = parseNumber(input, abroad);
      if (number !== 0) expect(parseNumber(formatNumber(number), abroad)).toBe(number);
    }),
    { numRuns: 1000 },
  );
});

test('a list is parsed into the same places, or a range of it only', () => {
  const out = new Float64Array(3);
  parseNumbers(['5550000000', 'x', 905550000001], false, out);
  expect([...out]).toEqual([905550000000, 0, 905550000001]);
  parseNumbers(['x', 'x', 'x'], false, out, 1, 2);
  expect([...out]).toEqual([905550000000, 0, 905550000001]);
});

test.each([
  [905320000000, 'turkcell'],
  [905420000000, 'vodafone'],
  [905050000000, 'turktelekom'],
  [905550000000, 'turktelekom'],
  [905338300000, 'other'],
  [905338800000, 'turkcell'],
  [905428500000, 'other'],
  [905161600000, 'turkcell'],
  [905161700000, 'other'],
  [905102200000, 'other'],
  [4915112345678, 'other'],
  [0, 'other'],
] as const)('%i was given to %s', (number, operator) => expect(operatorOf(number)).toBe(operator));

test.each([
  ['12345', '12345'],
  [12345, '12345'],
  ['5'.repeat(21), '5'.repeat(20)],
  ['a\0b\x1fc\x7fd\ud83de', 'abcde'],
  [`${'x'.repeat(19)}😀`, 'x'.repeat(19)],
  ['😀'.repeat(1_000_000), '😀'.repeat(10)],
  [null, ''],
  [undefined, ''],
  [true, 'true'],
  [{ a: 1 }, '{…}'],
  [['1'], '[…]'],
])('a report shows a bad number short and storable', (input, shown) => expect(badNumberText(input)).toBe(shown));
