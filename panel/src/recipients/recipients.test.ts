import { expect, test } from 'vitest';
import { findDamage, repaired, shapeOf } from './columns.ts';
import { isTable, readTyped } from './typed.ts';

test('what Excel has damaged is named with its row as the spreadsheet counts it', () => {
  const rows = [['numara'], ['9,05321E+11'], ['5550000000.0'], ['0555 000 00 00']];
  const shape = shapeOf(rows);
  // A blank row stands between the second and the third.
  expect(findDamage(rows, [1, 2, 4, 5], shape)).toEqual([
    { line: 2, cell: '9,05321E+11', kind: 'exponent' },
    { line: 4, cell: '5550000000.0', kind: 'decimal' },
  ]);
  expect(repaired('5550000000.0')).toBe('5550000000');
});

test('a file without telephone numbers has no number column', () => {
  expect(
    shapeOf([
      ['ad', 'soyad'],
      ['a', 'b'],
    ]).numberColumn,
  ).toBe(-1);
});

test('a file without a header row gets names for its columns', () => {
  expect(shapeOf([['05550000000', 'Ayşe']])).toEqual({ header: false, names: ['alan1', 'alan2'], numberColumn: 0 });
});

test('typed numbers are split at line ends and commas, keep the blanks inside them and know their lines', () => {
  expect(readTyped("0555 000 00 00, +905550000001;5550000002\n\n905550000003 905550000004\r\n'+905550000005")).toEqual({
    values: ['0555 000 00 00', '+905550000001', '5550000002', '905550000003', '905550000004', '+905550000005'],
    lines: [1, 1, 1, 3, 3, 4],
  });
  expect(isTable('ad\tnumara\nAyşe\t5550000000')).toBe(true);
  expect(isTable('5550000000\n5550000001')).toBe(false);
});
