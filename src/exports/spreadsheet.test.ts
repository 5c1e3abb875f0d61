import { expect, test } from 'vitest';
import { guarded, unguarded } from '../text/table-cell.ts';
import { csvLine } from './spreadsheet.ts';

test('a fraction is written as the spreadsheet of the reader reads it, and stays one cell', () => {
  expect(csvLine(['Oran', 66.7, -3, null, 1_200], 'tr')).toBe('Oran;66,7;-3;;1200\r\n');
  expect(csvLine(['Rate', 66.7, -3, null, 1_200], 'en')).toBe('Rate;66.7;-3;;1200\r\n');
});

test('a text is never taken for a formula or for two cells, in either language', () => {
  const cells = ['=1+1', '+cmd|x', '-2+3', '@a', 'a;b', 'de "ki"'];
  for (const language of ['tr', 'en'] as const)
    expect(csvLine(cells, language)).toBe(`'=1+1;'+cmd|x;'-2+3;'@a;"a;b";"de ""ki"""\r\n`);
});

test.each([' =1+1', '\u00a0=1', '"=1"', "'=1", '\uFEFF=1', '＝1+1', '＋1+1', '－1+1', '＠SUM(1)', '\t=1', ' \n-1+1'])(
  'what a spreadsheet may take for a formula after all is a text: %j',
  text => {
    const [line] = csvLine([text], 'tr').split('\r\n');
    expect(line!.replace(/^"/, '')).toMatch(/^'/);
    expect(unguarded(guarded(text))).toBe(text);
  },
);

test('a telephone number is a text that every spreadsheet shows whole, and a plain number stays a number', () => {
  expect(csvLine(['+905550000000', '+4915123456789', '-5', '+1,5'], 'tr')).toBe(
    '0555 000 00 00;00 4915123456789;-5;+1,5\r\n',
  );
});
