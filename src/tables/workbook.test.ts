// Workbooks of independent writers. samples/ holds the same small workbook as written by openpyxl 3.1, XlsxWriter 3.2 and
// SheetJS 0.18; the large ones are generated here.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import writeExcelFile from 'write-excel-file/node';
import { peopleRows, workbookFile, workbookOf, zipFile } from '../../test/support/customers/workbook-file.ts';
import { xlsxPieces } from '../exports/xlsx-stream.ts';
import { type ReadOptions, readTable, type Table } from './read-table.ts';

function read(content: Buffer, options: Partial<ReadOptions> = {}): Promise<Table> {
  const { signal } = new AbortController();
  const file = new Blob([Uint8Array.from(content)]);
  return readTable(file, { sheet: 0, dates: 'shown', onShare: () => {}, signal, ...options });
}

const sample = (name: string): Buffer => readFileSync(new URL(`./samples/${name}.xlsx`, import.meta.url));

test.each(['openpyxl', 'xlsxwriter', 'sheetjs'])('a workbook of %s is read as its sheet shows it', async name => {
  const table = await read(sample(name));
  expect(table).toMatchObject({ problem: null, sheets: ['Müşteriler', 'İkinci'], lines: [1, 2, 3, 6] });
  expect(table.rows.slice(0, 2)).toEqual([
    ['Numara', 'Ad', 'Tutar', 'Oran', 'Tarih', 'Saat', 'Kayıt', 'Onay'],
    ['0555 000 00 01', 'Şükrü & "Oğulları" <Ltd>', '1.234,50', '12,5%', '05.11.2026', '15.11.2026 14:30', '', 'DOĞRU'],
  ]);
  expect(table.rows[2]).toMatchObject(
    ['905550000002', 'İpek', '-5', '1', '5 Kasım 2026', /./, '=1+1', 'YANLIŞ'].map((cell, at) =>
      at === 5 ? table.rows[2]![5] : cell,
    ),
  );
  expect(table.rows[3]).toEqual(['5550000003']);
  expect(await read(sample(name), { sheet: 1 })).toMatchObject({ sheet: 1, rows: [['', '5550000009']], lines: [2] });
  const dated = await read(sample(name), { dates: 'iso' });
  expect(dated.rows.slice(1, 3).map(row => row.slice(4, 6))).toEqual([
    ['2026-11-05', '2026-11-15 14:30:00'],
    ['2026-11-05', '2026-11-15 14:30:00'],
  ]);
});

test('50,000 rows of 10 columns are read whole, texts shared or beside their cells', async () => {
  const rows = peopleRows(50_000, 10);
  for (const texts of ['shared', 'inline'] as const) {
    const shares: number[] = [];
    const table = await read(workbookFile(rows, { texts }), { onShare: share => shares.push(share) });
    expect(table.problem).toBe(null);
    expect(table.rows.length).toBe(rows.length);
    for (const at of [0, 1, 31_234, 50_000]) expect(table.rows[at]).toEqual(rows[at]);
    expect(shares.length).toBeGreaterThan(10);
    expect(shares.at(-1)).toBe(1);
  }
});

test('the two writers of the program itself are read: the small files and the large ones', async () => {
  const rows = peopleRows(5_000, 3);
  const small = await writeExcelFile(rows.map(row => row.map(value => ({ value })))).toBuffer();
  async function* pages() {
    yield rows.slice(1);
  }
  const large: Buffer[] = [];
  for await (const piece of xlsxPieces(rows[0]!, pages())) large.push(piece);
  for (const file of [small, Buffer.concat(large)]) expect((await read(file)).rows).toEqual(rows);
});

const sheet = (content: string, prefix = ''): [string, string] => [
  'xl/worksheets/sheet1.xml',
  `<?xml version="1.0"?><!-- a > b --><${prefix}worksheet xmlns${prefix && `:${prefix.slice(0, -1)}`}="m"><${prefix}sheetData>${content}</${prefix}sheetData></${prefix}worksheet>`,
];

test('what writers may leave out or do their own way is read: addresses, prefixes, runs of a text, entities', async () => {
  const odd = workbookOf([
    sheet(
      '<x:row><x:c t="s"><x:v>0</x:v></x:c><x:c><x:v>9.05550000001E11</x:v></x:c></x:row>' +
        '<x:row/><x:row><x:c t="str"><x:f>A1&amp;"x"</x:f><x:v>&#x15e;i&#351;li &amp; <![CDATA[<b>]]></x:v></x:c><x:c s=\'1\'/><x:c t="e"><x:v>#N/A</x:v></x:c></x:row>',
      'x:',
    ),
    [
      'xl/sharedStrings.xml',
      '<sst><si><r><rPr><b/></rPr><t>Ay</t></r><r><t xml:space="preserve">şe </t></r><rPh sb="0" eb="1"><t>okunuş</t></rPh></si></sst>',
    ],
  ]);
  const table = await read(odd);
  expect(table.rows).toEqual([
    ['Ayşe', '905550000001'],
    ['Şişli & <b>', '', '#N/A'],
  ]);
  expect(table.lines).toEqual([1, 3]);
  expect((await read(zipFile(storedParts(), 'stored'))).rows).toEqual([['5550000000']]);
});

function storedParts(): [string, string][] {
  return [
    ['xl/workbook.xml', '<workbook><sheets><sheet name="A" r:id="a"/></sheets></workbook>'],
    [
      'xl/_rels/workbook.xml.rels',
      '<Relationships><Relationship Id="a" Type="t/worksheet" Target="s.xml"/></Relationships>',
    ],
    ['xl/s.xml', '<worksheet><sheetData><row><c><v>5550000000</v></c></row></sheetData></worksheet>'],
  ];
}

const styled = (codes: string[]): [string, string] => [
  'xl/styles.xml',
  `<styleSheet><numFmts>${codes.map((code, at) => `<numFmt numFmtId="${200 + at}" formatCode="${code}"/>`).join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${codes.map((_, at) => `<xf numFmtId="${200 + at}"/>`).join('')}<xf numFmtId="14"/><xf numFmtId="22"/></cellXfs></styleSheet>`,
];

test('dates and numbers stand as the sheet shows them, by their formats', async () => {
  const cases: [code: string, value: number, shown: string][] = [
    ['dd/mm/yyyy', 46_341, '15/11/2026'],
    ['yyyy-mm-dd hh:mm:ss', 46_341.604_166_7, '2026-11-15 14:30:00'],
    ['[$-41F]d mmmm yyyy dddd', 46_341, '15 Kasım 2026 Pazar'],
    ['h:mm AM/PM', 0.604_166_7, '2:30 ÖS'],
    ['[h]:mm', 1.5, '36:00'],
    ['d&quot; gün &quot;m', 46_341, '15 gün 11'],
    ['00000000000', 5_550_000_000, '05550000000'],
    ['#,##0.00\\ [$₺-41F]', 1_234_567.5, '1.234.567,50 ₺'],
    ['0.0##', 2.5, '2,5'],
    ['General', 0.1 + 0.2, '0,3'],
    ['0###\\ ###\\ ##\\ ##', 5_550_000_000, '5550000000'],
    ['@', 5_550_000_000, '5550000000'],
    ['[&lt;100]0;[&gt;=100]#,##0', 50, '50'],
  ];
  const cells = cases.map(([, value], at) => `<c s="${at + 1}"><v>${value}</v></c>`).join('');
  const local = `<c s="${cases.length + 1}"><v>46341</v></c><c s="${cases.length + 2}"><v>46341.25</v></c><c t="d"><v>2026-11-15T06:00:00</v></c>`;
  const parts = [sheet(`<row r="1">${cells}${local}</row>`), styled(cases.map(([code]) => code))];
  const expected = [...cases.map(([, , shown]) => shown), '15.11.2026', '15.11.2026 06:00', '15.11.2026 06:00'];
  expect((await read(workbookOf(parts))).rows).toEqual([expected]);
  const old = workbookOf([sheet('<row><c s="2"><v>44879</v></c></row>'), styled(['0'])], '<workbookPr date1904="1"/>');
  expect((await read(old)).rows).toEqual([['15.11.2026']]);
});

test('a bomb, a document type, a lying directory and a sheet without end are refused without being unfolded', async () => {
  const bomb = workbookOf([sheet('<row></row>'.repeat(2_000_000))]);
  expect(bomb.length).toBeLessThan(500_000);
  expect((await read(bomb)).problem).toBe('too-full');
  const laughs = workbookOf([['xl/worksheets/sheet1.xml', '<!DOCTYPE a [<!ENTITY b "bbbb">]><worksheet/>']]);
  expect((await read(laughs)).problem).toBe('unreadable');
  const long = '<c t="s"><v>0</v></c>'.repeat(400);
  const repeated = workbookOf([
    sheet(`<row>${long}</row>`.repeat(20)),
    ['xl/sharedStrings.xml', `<sst><si><t>${'x'.repeat(30_000)}</t></si></sst>`],
  ]);
  expect((await read(repeated)).problem).toBe('too-full');
  const wide = workbookOf([sheet('<row><c r="ZZZ1"><v>1</v></c></row>')]);
  expect((await read(wide)).problem).toBe('unreadable');
  const cut = workbookFile(peopleRows(100, 3)).subarray(0, 900);
  expect((await read(cut)).problem).toBe('unreadable');
  const broken = workbookFile(peopleRows(2_000, 3));
  broken.fill(0xff, 3_000, 4_000);
  expect((await read(broken)).problem).toBe('unreadable');
});

test('styled cells without content make no sheet wide, and more rows than allowed are said', async () => {
  const painted = workbookOf([sheet(`<row><c><v>5550000000</v></c>${'<c s="0"/>'.repeat(2_000)}</row>`)]);
  expect(await read(painted)).toMatchObject({ problem: null, rows: [['5550000000']] });
});

test('a formula without a stored result and cells merged over rows are named as the cause of empty cells', async () => {
  const sheet = `<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>numara</t></is></c></row>
    <row r="3"><c r="A3"><v>5550000001</v></c><c r="B3"><f>C3&amp;D3</f></c></row>
    <row r="4"><c r="A4"><v>5550000002</v></c><c r="B4"><f>1+1</f><v>2</v></c></row></sheetData>
    <mergeCells count="2"><mergeCell ref="C3:C4"/><mergeCell ref="A1:B1"/></mergeCells></worksheet>`;
  const table = await read(workbookOf([['xl/worksheets/sheet1.xml', sheet]]));
  expect(table).toMatchObject({ problem: null, lines: [1, 3, 4] });
  expect(table.gaps).toEqual([
    { line: 3, cell: 'B3', kind: 'formula' },
    { line: 3, cell: 'C3:C4', kind: 'merged' },
  ]);
});
