import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeUserData } from './decode.ts';

const decode = (hex: string, dataCoding: number, hasHeader = false) =>
  decodeUserData(Buffer.from(hex, 'hex'), dataCoding, hasHeader);
const textOf = (hex: string, dataCoding: number, hasHeader = false) => decode(hex, dataCoding, hasHeader).text;

describe('text', () => {
  test.each([
    ['GSM-7', '00411b3c5d5e09', 0, '@A[ÑÜÇ'],
    ['IA5', '40415b', 1, '@A['],
    ['Latin-1', 'e7f6fc', 3, 'çöü'],
    ['UCS-2', '0131d83dde00', 8, 'ı😀'],
    ['8-bit data, as Latin-1', '41ff', 4, 'Aÿ'],
    ['an unknown coding, as Latin-1', '41', 0xf5, 'A'],
    ['GSM-7 with octets above 7 bits, as Latin-1', '41e7', 0, 'Aç'],
    ['an extension code that does not exist, as in the main table', '1b41', 0, 'A'],
    ['an escape without a code, as a blank', '411b', 0, 'A '],
    ['two escapes, as a blank', '1b1b41', 0, ' A'],
    ['UCS-2 with an odd octet, without it', '004100', 8, 'A'],
    ['nothing', '', 0, ''],
  ])('%s', (_, hex, dataCoding, text) => expect(textOf(hex, dataCoding)).toBe(text));

  test('the locking table is in force with its header only', () => {
    expect(textOf('032501011d070c6004', 0, true)).toBe('şığç€');
    expect(textOf('1d070c6004', 0)).toBe('æìø¿è');
  });

  test('the single shift table is in force with its header only', () => {
    expect(textOf('032401011b73041b63', 0, true)).toBe('şèç');
    expect(textOf('1b73041b63', 0)).toBe('sèc');
  });

  test('both tables together are in force together', () => {
    expect(textOf('062401012501011d1b73', 0, true)).toBe('şş');
  });

  test('a shift header makes IA5 seven-bit text', () => expect(textOf('032501011d', 1, true)).toBe('ş'));

  test('a shift to another language is not taken for Turkish', () => expect(textOf('032501021d', 0, true)).toBe('æ'));
});

describe('header', () => {
  test('concatenation with an 8-bit and with a 16-bit reference', () => {
    expect(decode('050003a7020141', 0, true)).toEqual({
      text: 'A',
      concat: { reference: 0xa7, total: 2, sequence: 1 },
    });
    expect(decode('06080412340302' + '0041', 8, true)).toEqual({
      text: 'A',
      concat: { reference: 0x1234, total: 3, sequence: 2 },
    });
  });

  test('unknown elements are skipped', () => {
    expect(decode('0b' + '050423f40000' + '0003a70202' + '41', 0, true)).toEqual({
      text: 'A',
      concat: { reference: 0xa7, total: 2, sequence: 2 },
    });
  });

  test.each([
    ['no parts', '050003a7000041'],
    ['sequence 0', '050003a7020041'],
    ['sequence beyond the total', '050003a7020341'],
    ['wrong length', '040002a70241'],
  ])('an impossible concatenation is ignored: %s', (_, hex) => {
    expect(decode(hex, 0, true)).toEqual({ text: 'A', concat: null });
  });

  test('a header whose elements overrun it is dropped and the body read', () => {
    expect(decode('050005a7020141', 0, true)).toEqual({ text: 'A', concat: null });
    expect(decode('060003a702012541', 0, true)).toEqual({ text: 'A', concat: null });
  });

  test('a header longer than the message is read as text', () => {
    expect(decode('414243', 0, true)).toEqual({ text: 'ABC', concat: null });
    expect(decode('', 0, true)).toEqual({ text: '', concat: null });
  });
});

test('no octets make it throw', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 300 }),
      fc.integer({ min: 0, max: 255 }),
      fc.boolean(),
      fc.constantFrom(undefined, 0, 5, 3),
      (octets, dataCoding, hasHeader, headerLength) => {
        if (headerLength !== undefined && octets.length > 0) octets[0] = headerLength;
        expect(typeof decodeUserData(Buffer.from(octets), dataCoding, hasHeader).text).toBe('string');
      },
    ),
    { numRuns: 2000 },
  );
});
