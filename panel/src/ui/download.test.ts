import { expect, test } from 'vitest';
import { toCsv } from './download.ts';

test('a file opens in Turkish Excel and runs no formulas', () => {
  expect(
    toCsv([
      ['ad', 'değer'],
      ['=1+1', 1.5],
      ['a;"b"', '@x'],
    ]),
  ).toBe('\ufeffad;değer\r\n\'=1+1;1,5\r\n"a;""b""";\'@x\r\n');
});
