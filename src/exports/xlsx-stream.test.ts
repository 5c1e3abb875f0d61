// The files are read back by a library that did not write them.
import readXlsx from 'read-excel-file/node';
import { expect, test } from 'vitest';
import type { Cell } from './spreadsheet.ts';
import { xlsxPieces } from './xlsx-stream.ts';

async function* pagesOf(rows: Cell[][], size: number): AsyncGenerator<Cell[][]> {
  for (let at = 0; at < rows.length; at += size) yield rows.slice(at, at + size);
}

async function workbook(titles: string[], rows: Cell[][], rowsPerSheet?: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of xlsxPieces(titles, pagesOf(rows, 7), rowsPerSheet)) pieces.push(piece);
  return Buffer.concat(pieces);
}

test('texts, numbers and gaps come back as they went in, formulas disarmed', async () => {
  const rows: Cell[][] = [
    ['+905550000000', 3, 'şğıİ & <b> "x"'],
    ['=1+1', null, 'iki\nsatır'],
    ['@x', -2.5, 'bozuk \u0001 \ud800 😀'],
  ];
  const [sheet] = await readXlsx(await workbook(['Numara', 'Kredi', 'Metin'], rows));
  expect(sheet!.data).toEqual([
    ['Numara', 'Kredi', 'Metin'],
    ['+905550000000', 3, 'şğıİ & <b> "x"'],
    ["'=1+1", null, 'iki\nsatır'],
    ["'@x", -2.5, 'bozuk \ufffd \ufffd 😀'],
  ]);
});

test('rows beyond a sheet go on to the next, each with the titles', async () => {
  const rows = Array.from({ length: 25 }, (_, i) => [i]);
  const sheets = await readXlsx(await workbook(['No'], rows, 10));
  expect(sheets.map(one => one.data.length)).toEqual([11, 11, 6]);
  expect(sheets.flatMap(one => one.data.slice(1))).toEqual(rows);
});

test('a list without rows is a sheet with its titles', async () => {
  const [sheet] = await readXlsx(await workbook(['No'], []));
  expect(sheet!.data).toEqual([['No']]);
});
