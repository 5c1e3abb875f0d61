import { expect, test } from 'vitest';
import writeExcelFile from 'write-excel-file/node';
import { type SheetShape, shapeOf } from '../../panel/src/recipients/columns.ts';
import { readMsMax } from './limits.ts';
import { type ReadOptions, readTable, type Table } from './read-table.ts';

type Given = string | Uint8Array<ArrayBuffer>;

function read(content: Given, options: Partial<ReadOptions> = {}): Promise<Table> {
  const { signal } = new AbortController();
  return readTable(new Blob([content]), { sheet: 0, dates: 'shown', onShare: () => {}, signal, ...options });
}

test('a windows-1254 file with semicolons from Turkish Excel is read without a question', async () => {
  // "ad;numara" / "Şükrü;05550000000" in windows-1254.
  const name = Uint8Array.of(0xde, 0xfc, 0x6b, 0x72, 0xfc);
  const bytes = Uint8Array.from([...Buffer.from('ad;numara\r\n'), ...name, ...Buffer.from(';05550000000\r\n')]);
  const table = await read(bytes);
  expect(table).toMatchObject({ encoding: 'windows-1254', delimiter: ';', problem: null });
  expect(table.rows).toEqual([
    ['ad', 'numara'],
    ['Şükrü', '05550000000'],
  ]);
  const shape: SheetShape = { header: true, names: ['ad', 'numara'], numberColumn: 1 };
  expect(shapeOf(table.rows)).toEqual(shape);
});

test('UTF-8 with and without a byte order mark and UTF-16 are distinguished', async () => {
  const given = 'Çağrı;905550000000';
  const wide = Uint8Array.from([0xff, 0xfe, ...Buffer.from(given, 'utf16le')]);
  const forms: [Given, string][] = [
    [given, 'utf-8'],
    [`\ufeff${given}`, 'utf-8'],
    [wide, 'utf-16le'],
  ];
  for (const [content, encoding] of forms) {
    const table = await read(content);
    expect(table).toMatchObject({ encoding, rows: [['Çağrı', '905550000000']] });
  }
});

test('comma, semicolon, tab and bar are found out, and Excel may say it in a first line', async () => {
  for (const delimiter of [',', ';', '\t', '|']) {
    const lines = ['numara', '5550000000'].map(cell => [cell, 'a', 'b'].join(delimiter));
    const table = await read(`${lines.join('\r\n')}\r\n`);
    expect(table).toMatchObject({
      delimiter,
      lines: [1, 2],
      rows: [
        ['numara', 'a', 'b'],
        ['5550000000', 'a', 'b'],
      ],
    });
  }
  expect(await read('a,b\n"c;d",e')).toMatchObject({ delimiter: ',' });
  expect(await read('sep=,\r\na;1,b\r\n')).toMatchObject({ delimiter: ',', rows: [['a;1', 'b']], lines: [2] });
});

test('quotes may hold delimiters, line ends and doubled quotes, and rows keep the numbers a spreadsheet gives them', async () => {
  const table = await read('a,"b, ""c""\nd",e\n\n"x"y,z,\n,,\nq,r');
  expect(table.rows).toEqual([
    ['a', 'b, "c"\nd', 'e'],
    ['xy', 'z'],
    ['q', 'r'],
  ]);
  expect(table.lines).toEqual([1, 3, 5]);
  expect((await read('"never closed,a\nb')).rows).toEqual([['never closed,a\nb']]);
});

test('what an export guarded comes back as it was, also +90 as older versions wrote it', async () => {
  const table = await read("numara;not\r\n'+905550000000;'=1+1\r\n0555 000 00 01;'tırnak'\r\n");
  expect(table.rows.slice(1)).toEqual([
    ['+905550000000', '=1+1'],
    ['0555 000 00 01', "'tırnak'"],
  ]);
});

test('a CSV of 50,000 rows and 10 columns is read in any cut, encoding and delimiter', async () => {
  const rows = Array.from({ length: 50_000 }, (_, at) => [
    `5${550_000_000 + at}`,
    `Şükrü "${at}"`,
    ...Array.from({ length: 8 }, (_, column) => `hücre ${at}-${column}`),
  ]);
  const csv = (delimiter: string) =>
    rows.map(row => `${row.map(cell => `"${cell.replaceAll('"', '""')}"`).join(delimiter)}\r\n`).join('');
  const turkish: Record<string, string> = { Ş: '\xde', ş: '\xfe', ğ: '\xf0', ı: '\xfd' };
  const files: [string, string, Uint8Array<ArrayBuffer>][] = [
    [',', 'utf-8', Uint8Array.from(Buffer.from(csv(',')))],
    [';', 'utf-8', Uint8Array.from(Buffer.from(`\ufeff${csv(';')}`))],
    [
      '\t',
      'windows-1254',
      Uint8Array.from(
        Buffer.from(
          csv('\t').replace(/[Şşğı]/g, one => turkish[one]!),
          'latin1',
        ),
      ),
    ],
  ];
  for (const [delimiter, encoding, bytes] of files) {
    const shares: number[] = [];
    const table = await read(bytes, { onShare: share => shares.push(share) });
    expect({ ...table, rows: table.rows.length, lines: table.lines.at(-1) }).toMatchObject({
      delimiter,
      encoding,
      rows: 50_000,
      lines: 50_000,
      problem: null,
    });
    for (const at of [0, 17_321, 49_999]) expect(table.rows[at]).toEqual(rows[at]);
    expect(shares.length).toBeGreaterThan(10);
    expect(shares.at(-1)).toBe(1);
  }
});

test('a reading can be stopped, and ends by itself when its time is over', async () => {
  const csv = 'numara;ad\r\n'.repeat(200_000);
  const stopper = new AbortController();
  const stopped = await read(csv, { signal: stopper.signal, onShare: () => stopper.abort() });
  expect(stopped).toMatchObject({ problem: 'stopped', rows: [] });
  expect((await read(csv, { msMax: 0 })).problem).toBe('too-slow');
  expect(readMsMax).toBeLessThanOrEqual(120_000);
  const sheet = await writeExcelFile([[{ value: 'numara' }], [{ value: '5550000000' }]]).toBuffer();
  expect((await read(Uint8Array.from(sheet), { msMax: 0 })).problem).toBe('too-slow');
});

test('every way a file cannot be read has its own word', async () => {
  expect((await read('')).problem).toBe('empty');
  expect((await read('\r\n;;\r\n')).problem).toBe('empty');
  expect((await read(Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0, 0))).problem).toBe('protected');
  expect((await read(Uint8Array.of(0x89, 0x50, 0, 0, 0))).problem).toBe('unreadable');
  expect((await read(Uint8Array.from(Buffer.from('PK\x03\x04 and no directory')))).problem).toBe('unreadable');
  expect((await read('x;'.repeat(501))).problem).toBe('too-wide');
  expect((await read(`"${'x'.repeat(5_000_000)}`)).problem).toBe('unreadable');
});
