// Workbooks in the forms of different writers: shared texts, as Excel and LibreOffice write them, or inline texts, as most
// programs do. Only what a reader must understand, so that a test can modify it.
import { crc32, deflateRawSync, type ZlibOptions } from 'node:zlib';

type Part = [name: string, content: string | Buffer];
type Shape = { texts: 'shared' | 'inline' };

const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const relationSpace = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageSpace = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** A tenth larger, in a fifth of the time. */
const quickly: ZlibOptions = { level: 1 };

export function workbookFile(rows: string[][], { texts }: Shape = { texts: 'shared' }): Buffer {
  const shared = new Map<string, number>();
  const cell = (text: string): string => {
    if (texts === 'inline') return `t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;
    const at = shared.get(text) ?? shared.size;
    shared.set(text, at);
    return `t="s"><v>${at}</v></c>`;
  };
  const lines = rows.map((row, at) => {
    const cells = row.map((text, column) => `<c r="${columnName(column)}${at + 1}" ${cell(text)}`);
    return `<row r="${at + 1}">${cells.join('')}</row>`;
  });
  const parts: Part[] = [
    ['xl/worksheets/sheet1.xml', `<worksheet ${main}><sheetData>${lines.join('')}</sheetData></worksheet>`],
  ];
  if (texts === 'shared') {
    const each = [...shared.keys()].map(text => `<si><t xml:space="preserve">${escaped(text)}</t></si>`).join('');
    parts.push(['xl/sharedStrings.xml', `<sst ${main} uniqueCount="${shared.size}">${each}</sst>`]);
  }
  return workbookOf(parts, '<workbookPr/>', quickly);
}

let large: Buffer | undefined;

/** 50,000 rows of four columns, built once per test file: 1.5 s of CPU. */
export function largeWorkbook(): Buffer {
  large ??= workbookFile(peopleRows(50_000, 4));
  return large;
}

/** Completes the given parts: a workbook with one sheet, and relations to shared texts and styles. */
export function workbookOf(parts: Part[], book = '<workbookPr/>', packing: ZlibOptions = {}): Buffer {
  const has = (name: string) => parts.some(([one]) => one === name);
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${relationSpace}/${type}" Target="${target}"/>`;
  const list = (content: string) => `<Relationships xmlns="${packageSpace}">${content}</Relationships>`;
  return zipFile(
    [
      ['_rels/.rels', list(relation('rId1', 'officeDocument', 'xl/workbook.xml'))],
      [
        'xl/workbook.xml',
        `<workbook ${main} xmlns:r="${relationSpace}">${book}<sheets><sheet name="Sayfa1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
      ],
      [
        'xl/_rels/workbook.xml.rels',
        list(
          relation('rId1', 'worksheet', '/xl/worksheets/sheet1.xml') +
            (has('xl/sharedStrings.xml') ? relation('rId2', 'sharedStrings', 'sharedStrings.xml') : '') +
            (has('xl/styles.xml') ? relation('rId3', 'styles', 'styles.xml') : ''),
        ),
      ],
      ...parts,
    ],
    packing,
  );
}

export function zipFile(parts: Part[], packing: ZlibOptions | 'stored' = {}): Buffer {
  const isStored = packing === 'stored';
  const pieces: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, content] of parts) {
    const whole = Buffer.from(content as string);
    const packed = packing === 'stored' ? whole : deflateRawSync(whole, packing);
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt16LE(isStored ? 0 : 8, 4);
    head.writeUInt32LE(crc32(whole), 10);
    head.writeUInt32LE(packed.length, 14);
    head.writeUInt32LE(whole.length, 18);
    head.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), head, Buffer.from(name), packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(at, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), head, tail, Buffer.from(name)]));
    pieces.push(local);
    at += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...pieces, listed, end]);
}

function columnName(column: number): string {
  return column < 26
    ? String.fromCharCode(65 + column)
    : columnName(Math.floor(column / 26) - 1) + columnName(column % 26);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** A typical customer's list: numbers first, `columns` columns in all, the last one filled in every row. */
export function peopleRows(
  count: number,
  columns: number,
  numberOf = (at: number) => `0${5_550_000_000 + at}`,
): string[][] {
  const titles = ['Numara', 'Ad', ...Array.from({ length: columns - 2 }, (_, at) => `Sütun ${at + 3}`)];
  const people = Array.from({ length: count }, (_, at) => [
    numberOf(at),
    `Şükrü ${at}`,
    ...Array.from({ length: columns - 2 }, (_, column) => `değer ${at % 1_000}-${column}`),
  ]);
  return [titles, ...people];
}
