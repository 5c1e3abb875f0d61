// Reads a file into rows of texts: CSV in any usual form, or a sheet of an XLSX workbook. All imports use it, in the panel's
// worker and on the command line. It yields between pieces, reports progress, can be stopped, and has a time limit.
import { unguarded } from '../text/table-cell.ts';
import { encodingOf } from './decode-file.ts';
import { DelimitedReader, type Delimiter, delimiters, detectDelimiter } from './delimited.ts';
import {
  cellsMax,
  charactersMax,
  columnsMax,
  fileBytesMax,
  type Problem,
  readMsMax,
  rowsMax,
  Unreadable,
} from './limits.ts';
import type { DateForm } from './shown-cell.ts';
import { type Gap, openWorkbook } from './workbook.ts';

export type Table = {
  rows: string[][];
  /** The position of each row in the file as a spreadsheet counts it: blank rows count, the first is 1. */
  lines: number[];
  sheets: string[];
  sheet: number;
  encoding: string | null;
  delimiter: string | null;
  problem: Problem | null;
  /** The first cells of a workbook that are empty although they hold a formula or belong to a merge. */
  gaps: Gap[];
};
type Reading = Omit<Table, 'rows' | 'lines'>;
export type ReadOptions = {
  sheet: number;
  dates: DateForm;
  onShare: (share: number) => void;
  signal: AbortSignal;
  /** For tests; the default is two minutes. */
  msMax?: number;
};

export type RowOptions = ReadOptions & {
  onRow(cells: string[], line: number): void;
  /** Called between pieces; the reader waits for the caller to store what was read. */
  between?(): Promise<void>;
};

const gapsMax = 100;
const pieceBytes = 256 * 1024;
const sampleCharacters = 64 * 1024;

const nothingRead: Reading = { sheets: [], sheet: 0, encoding: null, delimiter: null, problem: null, gaps: [] };

export const emptyTable = (problem: Problem | null = null): Table => ({
  ...nothingRead,
  rows: [],
  lines: [],
  problem,
});

/** Reads all rows into memory, for a person to look at. */
export async function readTable(file: Blob, options: ReadOptions): Promise<Table> {
  const [rows, lines]: [string[][], number[]] = [[], []];
  const onRow = (cells: string[], line: number) => {
    rows.push(cells);
    lines.push(line);
  };
  try {
    return { ...(await readRows(file, { ...options, onRow })), rows, lines };
  } catch (error) {
    // Any other error means that the file, which others made, cannot be read.
    return emptyTable(error instanceof Unreadable ? error.problem : 'unreadable');
  }
}

/** Row by row, in bounded memory. Throws Unreadable, or whatever a callback threw. */
export async function readRows(file: Blob, options: RowOptions): Promise<Reading> {
  if (file.size > fileBytesMax) throw new Unreadable('too-large');
  const start = new Uint8Array(await file.slice(0, 1024).arrayBuffer());
  const check = checkOf(options);
  return await (isZip(start) ? readWorkbook(file, options, check) : readText(file, start, options, check));
}

const isZip = (start: Uint8Array): boolean => start[0] === 0x50 && start[1] === 0x4b;

function checkOf({ signal, msMax = readMsMax, between }: RowOptions): () => Promise<void> {
  const until = performance.now() + msMax;
  return async () => {
    if (signal.aborted) throw new Unreadable('stopped');
    if (performance.now() > until) throw new Unreadable('too-slow');
    await between?.();
  };
}

async function readWorkbook(file: Blob, options: RowOptions, check: () => Promise<void>): Promise<Reading> {
  const book = await openWorkbook(file, options.dates, check);
  const sheet = options.sheet < book.sheets.length ? options.sheet : 0;
  const gaps: Gap[] = [];
  const reading: Reading = { ...nothingRead, sheets: book.sheets, sheet, encoding: 'XLSX', gaps };
  const keeper = new Keeper(options.onRow);
  reading.problem = await keeper.problemOf(() =>
    book.readSheet(sheet, keeper.keep, options.onShare, gap => void (gaps.length < gapsMax && gaps.push(gap))),
  );
  return reading;
}

async function readText(
  file: Blob,
  start: Uint8Array,
  options: RowOptions,
  check: () => Promise<void>,
): Promise<Reading> {
  if (isCompoundFile(start)) throw new Unreadable('protected');
  if (isBinary(start)) throw new Unreadable('unreadable');
  const encoding = await encodingOf(piecesOf(file, check));
  const decoder = new TextDecoder(encoding);
  const reading: Reading = { ...nothingRead, encoding };
  const keeper = new Keeper(options.onRow);
  let reader: DelimitedReader | null = null;
  let read = 0;
  reading.problem = await keeper.problemOf(async () => {
    for await (const piece of piecesOf(file, check)) {
      read += piece.length;
      const isLast = read >= file.size;
      const text = decoder.decode(piece, { stream: !isLast });
      if (reader) reader.push(text, isLast);
      else {
        const first = firstLook(text, isLast);
        reading.delimiter = first.delimiter;
        reader = new DelimitedReader(first.delimiter, keeper.keep, first.line);
        reader.push(text.slice(first.from), isLast);
      }
      options.onShare(read / file.size);
    }
  });
  return reading;
}

/** A first line "sep=;" is Excel's way to name the delimiter. */
function firstLook(text: string, isWhole: boolean): { delimiter: Delimiter; from: number; line: number } {
  const named = /^sep=([;,\t|])(?:\r\n|\n|\r)/i.exec(text);
  if (named) return { delimiter: delimiters.find(one => one === named[1])!, from: named[0].length, line: 2 };
  const sample = text.slice(0, sampleCharacters);
  // The last line of a sample may be cut in half.
  const whole = isWhole && sample.length === text.length ? sample : sample.slice(0, sample.lastIndexOf('\n') + 1);
  return { delimiter: detectDelimiter(whole || sample), from: 0, line: 1 };
}

async function* piecesOf(file: Blob, check: () => Promise<void>): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < file.size; at += pieceBytes) {
    await check();
    yield new Uint8Array(await file.slice(at, at + pieceBytes).arrayBuffer());
  }
}

/** Passes on rows that contain something, within the limits. */
class Keeper {
  readonly #onRow: RowOptions['onRow'];
  #rows = 0;
  #cells = 0;
  #characters = 0;

  constructor(onRow: RowOptions['onRow']) {
    this.#onRow = onRow;
  }

  readonly keep = (given: string[], line: number): void => {
    const cells = withoutEmptyEnd(given.map(unguarded));
    if (cells.length === 0) return;
    if (cells.length > columnsMax) throw new Unreadable('too-wide');
    this.#cells += cells.length;
    for (const cell of cells) this.#characters += cell.length;
    if (this.#cells > cellsMax || this.#characters > charactersMax) throw new Unreadable('too-full');
    if (this.#rows === rowsMax) throw new Unreadable('too-many');
    this.#rows += 1;
    this.#onRow(cells, line);
  };

  /** More rows than allowed: the rows read so far are passed on, and the result says so. */
  async problemOf(read: () => Promise<void>): Promise<Problem | null> {
    try {
      await read();
      return this.#rows === 0 ? 'empty' : null;
    } catch (error) {
      if (!(error instanceof Unreadable) || error.problem !== 'too-many') throw error;
      return 'too-many';
    }
  }
}

function withoutEmptyEnd(cells: string[]): string[] {
  let length = cells.length;
  while (length > 0 && cells[length - 1] === '') length -= 1;
  return length === cells.length ? cells : cells.slice(0, length);
}

/** An old .xls, or a workbook with a password: both are compound files. */
function isCompoundFile(start: Uint8Array): boolean {
  return start[0] === 0xd0 && start[1] === 0xcf && start[2] === 0x11 && start[3] === 0xe0;
}

/** Zero bytes in the first kilobyte of a file that is not UTF-16: an image or another binary format. */
function isBinary(start: Uint8Array): boolean {
  const wide = (start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0xfe && start[1] === 0xff);
  return !wide && start.includes(0);
}
