// The tables written out again, position by position, from 3GPP TS 23.038, so that a typo in one place shows.
import { describe, expect, test } from 'vitest';
import {
  codeIn,
  DEFAULT_TABLE,
  ESCAPED,
  EXTENSION,
  LOOKUPS,
  septetsOf,
  TURKISH_LOCKING_TABLE,
  TURKISH_SINGLE_EXTENSION,
} from './alphabets.ts';

// Unicode code points by septet.
const DEFAULT_CODE_POINTS = [
  [0x40, 0xa3, 0x24, 0xa5, 0xe8, 0xe9, 0xf9, 0xec, 0xf2, 0xc7, 0x0a, 0xd8, 0xf8, 0x0d, 0xc5, 0xe5],
  [0x394, 0x5f, 0x3a6, 0x393, 0x39b, 0x3a9, 0x3a0, 0x3a8, 0x3a3, 0x398, 0x39e, 0x1b, 0xc6, 0xe6, 0xdf, 0xc9],
  [0x20, 0x21, 0x22, 0x23, 0xa4, 0x25, 0x26, 0x27, 0x28, 0x29, 0x2a, 0x2b, 0x2c, 0x2d, 0x2e, 0x2f],
  [0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0x3a, 0x3b, 0x3c, 0x3d, 0x3e, 0x3f],
  [0xa1, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4a, 0x4b, 0x4c, 0x4d, 0x4e, 0x4f],
  [0x50, 0x51, 0x52, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59, 0x5a, 0xc4, 0xd6, 0xd1, 0xdc, 0xa7],
  [0xbf, 0x61, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x6b, 0x6c, 0x6d, 0x6e, 0x6f],
  [0x70, 0x71, 0x72, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7a, 0xe4, 0xf6, 0xf1, 0xfc, 0xe0],
].flat();

const LOCKING_CODE_POINTS = DEFAULT_CODE_POINTS.with(0x04, 0x20ac)
  .with(0x07, 0x131)
  .with(0x0b, 0x11e)
  .with(0x0c, 0x11f)
  .with(0x1c, 0x15e)
  .with(0x1d, 0x15f)
  .with(0x40, 0x130)
  .with(0x60, 0xe7);

const EXTENSION_CODE_POINTS: Record<number, number> = {
  10: 0x0c,
  20: 0x5e,
  40: 0x7b,
  41: 0x7d,
  47: 0x5c,
  60: 0x5b,
  61: 0x7e,
  62: 0x5d,
  64: 0x7c,
  101: 0x20ac,
};

const SINGLE_CODE_POINTS: Record<number, number> = {
  ...EXTENSION_CODE_POINTS,
  71: 0x11e,
  73: 0x130,
  83: 0x15e,
  99: 0xe7,
  103: 0x11f,
  105: 0x131,
  115: 0x15f,
};

const codePoints = (table: string) => Array.from(table, char => char.codePointAt(0));
const byCode = (table: ReadonlyMap<number, string>) =>
  Object.fromEntries([...table].map(([code, char]) => [code, char.codePointAt(0)]));

describe('the tables hold the right character at every position', () => {
  test('default alphabet', () => expect(codePoints(DEFAULT_TABLE)).toEqual(DEFAULT_CODE_POINTS));
  test('default extension', () => expect(byCode(EXTENSION)).toEqual(EXTENSION_CODE_POINTS));
  test('Turkish locking shift', () => expect(codePoints(TURKISH_LOCKING_TABLE)).toEqual(LOCKING_CODE_POINTS));
  test('Turkish single shift', () => expect(byCode(TURKISH_SINGLE_EXTENSION)).toEqual(SINGLE_CODE_POINTS));
});

describe('lookups', () => {
  test('every code unit is found in exactly the encodings whose tables hold it', () => {
    const tables = {
      gsm7: [DEFAULT_CODE_POINTS, EXTENSION_CODE_POINTS],
      'turkish-locking': [LOCKING_CODE_POINTS, EXTENSION_CODE_POINTS],
      'turkish-single': [DEFAULT_CODE_POINTS, SINGLE_CODE_POINTS],
    } as const;
    for (const encoding of Object.keys(tables) as (keyof typeof tables)[]) {
      const [main, extension] = tables[encoding];
      for (let unit = 0; unit < 0x10000; unit++) {
        const single = unit === 0x1b ? -1 : main.indexOf(unit);
        const escaped = Object.entries(extension).find(([, point]) => point === unit)?.[0];
        const expected = single >= 0 ? single : escaped === undefined ? -1 : ESCAPED + Number(escaped);
        const found = codeIn(LOOKUPS[encoding], unit);
        if (found !== expected) expect.fail(`${encoding} U+${unit.toString(16)}: ${found}, not ${expected}`);
      }
    }
  });

  test('a Turkish letter costs one septet by the locking table and two by the single shift table', () => {
    expect(septetsOf('ğışİĞŞç', 'turkish-locking')).toBe(7);
    expect(septetsOf('ğışİĞŞç', 'turkish-single')).toBe(14);
    expect(septetsOf('ğ', 'gsm7')).toBe(-1);
  });

  test('the euro sign costs one septet by the locking table and two elsewhere', () => {
    expect(septetsOf('€', 'turkish-locking')).toBe(1);
    expect(septetsOf('€', 'gsm7')).toBe(2);
    expect(septetsOf('€', 'turkish-single')).toBe(2);
  });
});
