import { expect, test } from 'vitest';
import { findDamage, repaired, shapeOf } from './columns.ts';
import { decodeFile } from './decode-file.ts';
import { detectDelimiter, parseDelimited } from './delimited.ts';
import { isTable, splitTyped } from './typed.ts';

const rowsMax = 100_000;

test('a windows-1254 file with semicolons from Turkish Excel is read without a question', () => {
  // "ad;numara" / "Şükrü;05550000000" in windows-1254.
  const name = Uint8Array.of(0xde, 0xfc, 0x6b, 0x72, 0xfc);
  const bytes = Uint8Array.from([...Buffer.from('ad;numara\r\n'), ...name, ...Buffer.from(';05550000000\r\n')]);
  const { text, encoding } = decodeFile(bytes);
  expect(encoding).toBe('windows-1254');
  const rows = parseDelimited(text, detectDelimiter(text), rowsMax);
  expect(rows).toEqual([
    ['ad', 'numara'],
    ['Şükrü', '05550000000'],
  ]);
  expect(shapeOf(rows)).toEqual({ header: true, names: ['ad', 'numara'], numberColumn: 1 });
});

test('UTF-8 with and without a byte order mark and UTF-16 are told apart', () => {
  const given = 'Çağrı;905550000000';
  expect(decodeFile(new TextEncoder().encode(given))).toEqual({ text: given, encoding: 'utf-8' });
  expect(decodeFile(new TextEncoder().encode(`\ufeff${given}`))).toEqual({ text: given, encoding: 'utf-8' });
  const wide = Uint8Array.from([0xff, 0xfe, ...Buffer.from(given, 'utf16le')]);
  expect(decodeFile(wide)).toEqual({ text: given, encoding: 'utf-16le' });
});

test('quotes may hold delimiters, line ends and doubled quotes', () => {
  expect(parseDelimited('a,"b, ""c""\nd",e\n\n"x"y,z', ',', rowsMax)).toEqual([
    ['a', 'b, "c"\nd', 'e'],
    ['xy', 'z'],
  ]);
  expect(parseDelimited('"never closed,a\nb', ',', rowsMax)).toEqual([['never closed,a\nb']]);
});

test('the delimiter is the one that splits the lines evenly', () => {
  expect(detectDelimiter('a,b\n"c;d",e')).toBe(',');
  expect(detectDelimiter('a\tb\nc\td')).toBe('\t');
  expect(detectDelimiter('5550000000\n5550000001')).toBe(';');
});

test('reading stops at the bound on rows', () => {
  expect(parseDelimited('1\n2\n3\n4', ';', 3)).toHaveLength(3);
});

test('what Excel has damaged is named with its row as the spreadsheet counts it', () => {
  const rows = [['numara'], ['9,05321E+11'], ['5550000000.0'], ['0555 000 00 00']];
  const shape = shapeOf(rows);
  expect(findDamage(rows, shape)).toEqual([
    { row: 2, cell: '9,05321E+11', kind: 'exponent' },
    { row: 3, cell: '5550000000.0', kind: 'decimal' },
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

test('typed numbers are split at line ends and commas and keep the blanks inside them', () => {
  expect(splitTyped('0555 000 00 00, +905550000001;5550000002\n\n905550000003 905550000004')).toEqual([
    '0555 000 00 00',
    '+905550000001',
    '5550000002',
    '905550000003',
    '905550000004',
  ]);
  expect(isTable('ad\tnumara\nAyşe\t5550000000')).toBe(true);
  expect(isTable('5550000000\n5550000001')).toBe(false);
});
