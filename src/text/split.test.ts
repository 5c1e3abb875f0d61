import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Encoding } from './alphabets.ts';
import { DEFAULT_TABLE, EXTENSION, TURKISH_LETTERS, TURKISH_LOCKING_TABLE } from './alphabets.ts';
import { decodeUserData } from './decode.ts';
import { creditsFor, prepareText } from './prepare.ts';
import type { AirPart } from './split.ts';
import { splitForAir } from './split.ts';

const ENCODINGS: readonly Encoding[] = ['gsm7', 'turkish-locking', 'turkish-single', 'ucs2'];
const main = (table: string) => Array.from(table).filter(char => char !== '\x1b');
const ALPHABETS: Record<Encoding, readonly string[]> = {
  gsm7: [...main(DEFAULT_TABLE), ...EXTENSION.values()],
  'turkish-locking': [...main(TURKISH_LOCKING_TABLE), ...EXTENSION.values()],
  'turkish-single': [...main(DEFAULT_TABLE), ...EXTENSION.values(), ...TURKISH_LETTERS],
  ucs2: ['a', 'ş', 'Ж', '漢', '😀', '🇹🇷'],
};
// Up to 1,200 characters: more than seven parts in every encoding. Two-unit characters are frequent at the edges of parts.
const textIn = (encoding: Encoding) =>
  fc
    .tuple(
      fc.array(fc.constantFrom(...ALPHABETS[encoding]), { maxLength: 40 }),
      fc.constantFrom(...ALPHABETS[encoding]),
      fc.integer({ min: 0, max: 1100 }),
    )
    .map(([start, filler, count]) => start.join('') + filler.repeat(count) + start.join(''));

const join = (parts: AirPart[]) =>
  parts.map(({ userData, dataCoding, hasHeader }) => decodeUserData(userData, dataCoding, hasHeader).text).join('');

function packedOctets({ userData, dataCoding, hasHeader }: AirPart): number {
  const header = hasHeader ? 1 + userData[0]! : 0;
  const payload = userData.length - header;
  return dataCoding === 8 ? header + payload : Math.ceil((Math.ceil((header * 8) / 7) * 7 + payload * 7) / 8);
}

describe.each(ENCODINGS)('%s', encoding => {
  test('the parts decode and join to the text and the operator code, by headers and by sar', () => {
    fc.assert(
      fc.property(textIn(encoding), fc.constantFrom('B186', ''), (text, code) => {
        const expected = code === '' ? text : `${text} ${code}`;
        expect(join(splitForAir(text, encoding, code))).toBe(expected);
        expect(join(splitForAir(text, encoding, code, 'sar'))).toBe(expected);
      }),
    );
  });

  test('every part fits 140 packed octets, alone stands without a reference and knows its place', () => {
    fc.assert(
      fc.property(textIn(encoding), text => {
        const parts = splitForAir(text, encoding, 'B186');
        parts.forEach((part, index) => {
          expect(packedOctets(part)).toBeLessThanOrEqual(140);
          expect([part.part, part.parts]).toEqual([index + 1, parts.length]);
          expect(part.referenceOffset).toBe(parts.length > 1 ? 3 : -1);
        });
      }),
    );
  });

  test('with seven charged parts at most, the air takes at most one more', () => {
    fc.assert(
      fc.property(textIn(encoding), text => {
        const units = encoding === 'ucs2' ? text.length : splitUnits(text, encoding);
        const charged = creditsFor(units, encoding);
        if (charged === 0 || charged > 7) return;
        expect(splitForAir(text, encoding, 'B186').length).toBeLessThanOrEqual(charged + 1);
      }),
    );
  });

  test('every part carries its reference place, total and sequence where decode finds them', () => {
    const parts = splitForAir('a'.repeat(400), encoding, 'B186');
    parts.forEach((part, index) => {
      part.userData[part.referenceOffset] = 0xa7;
      expect(decodeUserData(part.userData, part.dataCoding, part.hasHeader).concat).toEqual({
        reference: 0xa7,
        total: parts.length,
        sequence: index + 1,
      });
    });
  });

  test('sar cuts at the same places as headers do', () => {
    const text = '😀['.repeat(300).replaceAll('😀', encoding === 'ucs2' ? '😀' : 'a');
    const payload = (part: AirPart) => part.userData.subarray(part.hasHeader ? 1 + part.userData[0]! : 0);
    const bySar = splitForAir(text, encoding, 'B186', 'sar');
    expect(bySar.map(payload)).toEqual(splitForAir(text, encoding, 'B186').map(payload));
    expect(bySar.every(part => part.referenceOffset === -1)).toBe(true);
  });
});

// Septets as the split writes them, taken from a message without the operator code.
function splitUnits(text: string, encoding: Encoding): number {
  return splitForAir(text, encoding, '', 'sar').reduce(
    (sum, part) => sum + part.userData.length - (part.hasHeader ? 1 + part.userData[0]! : 0),
    0,
  );
}

describe('limits', () => {
  test.each([
    ['gsm7', 'a', 155, 160, 153],
    ['turkish-locking', 'ş', 150, 155, 149],
    ['turkish-single', 'a', 150, 155, 149],
    ['ucs2', 'Ж', 65, 70, 67],
  ] as const)('%s: one part holds the published first part and the code', (encoding, letter, first, single, multi) => {
    const units = encoding === 'ucs2' ? 2 : 1;
    const sizes = (count: number) =>
      splitForAir(letter.repeat(count), encoding, 'B186').map(
        part => (part.userData.length - (part.hasHeader ? 1 + part.userData[0]! : 0)) / units,
      );
    expect(sizes(first)).toEqual([single]);
    expect(sizes(first + 1)).toEqual([multi, first + 1 + 5 - multi]);
    expect(sizes(2 * multi - 5)).toEqual([multi, multi]);
    expect(sizes(2 * multi - 4)).toEqual([multi, multi, 1]);
  });
});

describe('octets', () => {
  const hex = (part: AirPart | undefined) => part?.userData.toString('hex');

  test('a plain message has no header', () => {
    expect(splitForAir('@A[', 'gsm7', 'B186')).toEqual([
      {
        userData: Buffer.from('00411b3c2042313836', 'hex'),
        hasHeader: false,
        dataCoding: 0,
        referenceOffset: -1,
        part: 1,
        parts: 1,
      },
    ]);
  });

  test('a message by the locking table carries its header', () => {
    expect(hex(splitForAir('şığç€', 'turkish-locking', '')[0])).toBe('032501011d070c6004');
  });

  test('a message by the single shift table carries its header', () => {
    expect(hex(splitForAir('şèç', 'turkish-single', '')[0])).toBe('032401011b73041b63');
  });

  test('UCS-2 is big endian', () => {
    expect(hex(splitForAir('Ж😀', 'ucs2', '')[0])).toBe('0416d83dde00');
  });

  test('a long message carries the concatenation header, before the shift header if any', () => {
    expect(hex(splitForAir('a'.repeat(161), 'gsm7', '')[1])).toBe(`050003000202${'61'.repeat(8)}`);
    expect(hex(splitForAir('ş'.repeat(156), 'turkish-locking', '')[1])).toBe(`080003000202250101${'1d'.repeat(7)}`);
  });

  test('an escape and its code, or the halves of a pair, stay in one part', () => {
    const septets = splitForAir(`${'a'.repeat(152)}[${'b'.repeat(10)}`, 'gsm7', '');
    expect(septets.map(part => part.userData.length - 6)).toEqual([152, 12]);
    // The second half of a pair is 0xDC00 to 0xDFFF.
    for (const pair of ['😀', '\u{10000}', '\u{103ff}']) {
      const ucs2 = splitForAir(`${'Ж'.repeat(66)}${pair}${'Ж'.repeat(10)}`, 'ucs2', '');
      expect(ucs2.map(part => (part.userData.length - 6) / 2)).toEqual([66, 12]);
    }
  });

  test('an operator code outside the alphabet shows as question marks', () => {
    expect(join(splitForAir('a', 'gsm7', 'Ж1'))).toBe('a ?1');
  });

  test('a text of 255 parts is split, a longer one is refused', () => {
    expect(splitForAir('a'.repeat(153 * 255), 'gsm7', '')).toHaveLength(255);
    expect(() => splitForAir('a'.repeat(153 * 256), 'gsm7', '')).toThrow(RangeError);
  });

  test('a prepared text of every mode survives the air', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 300 }),
        fc.constantFrom('english' as const, 'turkish' as const, 'unicode' as const),
        (given, mode) => {
          const { text, encoding } = prepareText(given, mode);
          expect(join(splitForAir(text, encoding, 'B186'))).toBe(`${text} B186`);
        },
      ),
    );
  });
});
