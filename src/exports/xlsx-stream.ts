// Writes a workbook of any size in bounded memory: rows go in page by page, pieces of the file come out. The libraries hold
// every cell (about 1 GB for a million rows of ten), so this writer serves all files, small ones too: a zip of deflated sheets,
// texts inline, the list of sheets written last, when their number is known.
import { once } from 'node:events';
import { crc32, createDeflateRaw } from 'node:zlib';
import { guarded } from '../text/table-cell.ts';
import type { Cell } from './spreadsheet.ts';

/** Excel allows 1,048,576 rows with the titles. */
const rowsPerSheetMax = 1_000_000;

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const mainSpace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relationSpace = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageSpace = 'http://schemas.openxmlformats.org/package/2006';
const sheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

// The second style in xl/styles.xml: bold.
const titleStyle = 1;

type Entry = { name: string; crc: number; squeezed: number; whole: number; at: number };

export async function* xlsxPieces(
  titles: string[],
  pages: AsyncIterable<Cell[][]>,
  rowsPerSheet = rowsPerSheetMax,
): AsyncGenerator<Buffer> {
  const zip = new ZipWriter();
  const source = pages[Symbol.asyncIterator]();
  let left: Cell[][] = [];
  let sheets = 0;
  let isOver = false;
  async function* sheetXml(): AsyncGenerator<string> {
    yield `${head}<worksheet xmlns="${mainSpace}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>`;
    yield rowXml(titles, 1, titleStyle);
    for (let rows = 0; rows < rowsPerSheet; ) {
      if (left.length === 0) {
        const page = await source.next();
        if (page.done) {
          isOver = true;
          break;
        }
        left = page.value;
      }
      const now = left.splice(0, rowsPerSheet - rows);
      const first = rows + 2;
      yield now.map((cells, i) => rowXml(cells, first + i)).join('');
      rows += now.length;
    }
    yield '</sheetData></worksheet>';
  }
  do {
    sheets += 1;
    yield* zip.add(`xl/worksheets/sheet${sheets}.xml`, sheetXml());
  } while (!isOver);
  for (const [name, text] of partsAround(sheets)) yield* zip.add(name, alone(text));
  yield zip.end();
}

/** For rows that are already in memory. */
export async function xlsxFile(titles: string[], rows: Cell[][]): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of xlsxPieces(titles, pagesOf(rows))) pieces.push(piece);
  return Buffer.concat(pieces);
}

// Other requests are served between pages.
const pageRows = 1_000;

async function* pagesOf(rows: Cell[][]): AsyncGenerator<Cell[][]> {
  for (let at = 0; at < rows.length; at += pageRows) yield rows.slice(at, at + pageRows);
}

async function* alone(text: string): AsyncGenerator<string> {
  yield text;
}

/** Cells carry their address, although the format makes it optional: some readers need it. */
function rowXml(cells: Cell[], no: number, style = 0): string {
  const mark = style ? ` s="${style}"` : '';
  const each = cells.map((cell, column) => {
    if (cell === null) return '';
    const start = `<c r="${columnName(column)}${no}"${mark}`;
    if (typeof cell === 'number') return `${start}><v>${cell}</v></c>`;
    return `${start} t="inlineStr"><is><t xml:space="preserve">${escaped(guarded(cell))}</t></is></c>`;
  });
  return `<row r="${no}">${each.join('')}</row>`;
}

/** 0 → A, 26 → AA. */
function columnName(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : columnName(Math.floor(column / 26) - 1) + last;
}

/** Replaces what XML cannot hold (control characters, halves of a surrogate pair) by the replacement character. */
function escaped(text: string): string {
  return text
    .replace(
      /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
      '\ufffd',
    )
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

function partsAround(sheets: number): [string, string][] {
  const numbers = Array.from({ length: sheets }, (_, i) => i + 1);
  const each = (make: (no: number) => string) => numbers.map(make).join('');
  const relation = (id: number, type: string, target: string) =>
    `<Relationship Id="rId${id}" Type="${relationSpace}/${type}" Target="${target}"/>`;
  const styles = sheets + 1;
  return [
    [
      'xl/workbook.xml',
      `${head}<workbook xmlns="${mainSpace}" xmlns:r="${relationSpace}"><sheets>${each(no => `<sheet name="${no}" sheetId="${no}" r:id="rId${no}"/>`)}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `${head}<Relationships xmlns="${packageSpace}/relationships">${each(no => relation(no, 'worksheet', `worksheets/sheet${no}.xml`))}${relation(styles, 'styles', 'styles.xml')}</Relationships>`,
    ],
    [
      'xl/styles.xml',
      `${head}<styleSheet xmlns="${mainSpace}"><fonts count="2"><font/><font><b/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf/><xf fontId="1" applyFont="1"/></cellXfs></styleSheet>`,
    ],
    [
      '_rels/.rels',
      `${head}<Relationships xmlns="${packageSpace}/relationships">${relation(1, 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    ],
    [
      '[Content_Types].xml',
      `${head}<Types xmlns="${packageSpace}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${sheetType}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${sheetType}.styles+xml"/>${each(no => `<Override PartName="/xl/worksheets/sheet${no}.xml" ContentType="${sheetType}.worksheet+xml"/>`)}</Types>`,
    ],
  ];
}

/** The zip container: each entry is deflated as it comes, its sizes in a descriptor after it, the directory last. */
class ZipWriter {
  readonly #entries: Entry[] = [];
  #at = 0;

  async *add(name: string, content: AsyncIterable<string>): AsyncGenerator<Buffer> {
    const entry: Entry = { name, crc: 0, squeezed: 0, whole: 0, at: this.#at };
    this.#entries.push(entry);
    yield this.#count(localHeader(name));
    const deflate = createDeflateRaw();
    const ready: Buffer[] = [];
    deflate.on('data', (piece: Buffer) => ready.push(piece));
    for await (const text of content) {
      const bytes = Buffer.from(text);
      entry.crc = crc32(bytes, entry.crc);
      entry.whole += bytes.length;
      if (!deflate.write(bytes)) await once(deflate, 'drain');
      for (const piece of ready.splice(0)) yield this.#squeezed(entry, piece);
    }
    const ended = once(deflate, 'end');
    deflate.end();
    await ended;
    for (const piece of ready.splice(0)) yield this.#squeezed(entry, piece);
    yield this.#count(descriptor(entry));
  }

  end(): Buffer {
    const directory = Buffer.concat(this.#entries.map(directoryLine));
    const end = Buffer.alloc(22);
    end.writeUInt32LE(0x06054b50, 0);
    end.writeUInt16LE(this.#entries.length, 8);
    end.writeUInt16LE(this.#entries.length, 10);
    end.writeUInt32LE(directory.length, 12);
    end.writeUInt32LE(this.#at, 16);
    return Buffer.concat([directory, end]);
  }

  #count(piece: Buffer): Buffer {
    this.#at += piece.length;
    return piece;
  }

  #squeezed(entry: Entry, piece: Buffer): Buffer {
    entry.squeezed += piece.length;
    return this.#count(piece);
  }
}

// Bit 3: sizes follow the data. Bit 11: names in UTF-8. Method 8: deflate. The date is zip's zero, 1 January 1980.
const flags = 0x0808;
const dosDate = 0x21;

function localHeader(name: string): Buffer {
  const header = Buffer.alloc(30 + name.length);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(flags, 6);
  header.writeUInt16LE(8, 8);
  header.writeUInt16LE(dosDate, 12);
  header.writeUInt16LE(name.length, 26);
  header.write(name, 30, 'latin1');
  return header;
}

function descriptor(entry: Entry): Buffer {
  const block = Buffer.alloc(16);
  block.writeUInt32LE(0x08074b50, 0);
  block.writeUInt32LE(entry.crc, 4);
  block.writeUInt32LE(entry.squeezed, 8);
  block.writeUInt32LE(entry.whole, 12);
  return block;
}

function directoryLine(entry: Entry): Buffer {
  const line = Buffer.alloc(46 + entry.name.length);
  line.writeUInt32LE(0x02014b50, 0);
  line.writeUInt16LE(20, 4);
  line.writeUInt16LE(20, 6);
  line.writeUInt16LE(flags, 8);
  line.writeUInt16LE(8, 10);
  line.writeUInt16LE(dosDate, 14);
  line.writeUInt32LE(entry.crc, 16);
  line.writeUInt32LE(entry.squeezed, 20);
  line.writeUInt32LE(entry.whole, 24);
  line.writeUInt16LE(entry.name.length, 28);
  line.writeUInt32LE(entry.at, 42);
  line.write(entry.name, 46, 'latin1');
  return line;
}
