// Rows and cells of delimited text (RFC 4180 quotes, any of , ; tab |) that arrives in pieces. Hand-written because it runs in
// a worker over tens of megabytes, and because it detects the delimiter.
import { Unreadable } from './limits.ts';

export const delimiters = [';', ',', '\t', '|'] as const;
export type Delimiter = (typeof delimiters)[number];

const sampleLinesMax = 50;
// A quote that is never closed takes the rest of the file into its cell; no valid cell is this large.
const rowLengthMax = 4 * 1024 * 1024;

/** The delimiter that splits the first lines most evenly; ";" wins ties, because Turkish Excel writes it. */
export function detectDelimiter(text: string): Delimiter {
  const lines = text.split(/\r\n|\n|\r/, sampleLinesMax).filter(line => line.trim() !== '');
  let best: Delimiter = ';';
  let bestScore = 0;
  for (const delimiter of delimiters) {
    const counts = lines.map(line => cellsOf(line, delimiter)).map(cells => cells - 1);
    const present = counts.filter(count => count > 0).length;
    const even = new Set(counts).size === 1 ? 2 : 1;
    const score = present * even;
    if (score > bestScore) {
      best = delimiter;
      bestScore = score;
    }
  }
  return best;
}

function cellsOf(line: string, delimiter: Delimiter): number {
  let cells = 1;
  let quoted = false;
  for (const char of line) {
    if (char === '"') quoted = !quoted;
    else if (char === delimiter && !quoted) cells += 1;
  }
  return cells;
}

/** Counts rows as a spreadsheet does: a blank line is one, a line end inside quotes is none. */
export class DelimitedReader {
  readonly #code: number;
  readonly #onRow: (cells: string[], line: number) => void;
  #rest = '';
  #line: number;

  constructor(delimiter: Delimiter, onRow: (cells: string[], line: number) => void, firstLine = 1) {
    this.#code = delimiter.charCodeAt(0);
    this.#onRow = onRow;
    this.#line = firstLine;
  }

  push(piece: string, isLast = false): void {
    const text = this.#rest + piece;
    let start = 0;
    for (let next = this.#row(text, start, isLast); next >= 0; next = this.#row(text, start, isLast)) start = next;
    this.#rest = text.slice(start);
    if (this.#rest.length > rowLengthMax) throw new Unreadable('unreadable', 'a quote is never closed');
  }

  /** Reads one row; returns where the next begins, or -1 if the row is not complete yet. */
  #row(text: string, start: number, isLast: boolean): number {
    if (start >= text.length) return -1;
    const cells: string[] = [];
    let at = start;
    for (;;) {
      const cell = text[at] === '"' ? quotedCell(text, at, this.#code) : plainCell(text, at, this.#code);
      cells.push(cell.value);
      at = cell.end;
      if (text.charCodeAt(at) !== this.#code) break;
      at += 1;
    }
    const isReturn = text.charCodeAt(at) === 0x0d;
    // A row that ends with the piece may continue in the next: a carriage return may still get its line feed.
    if (!isLast && (at >= text.length || (isReturn && at + 1 >= text.length))) return -1;
    this.#onRow(cells, this.#line);
    this.#line += 1;
    return at + (isReturn && text.charCodeAt(at + 1) === 0x0a ? 2 : 1);
  }
}

type Cell = { value: string; end: number };

function plainCell(text: string, start: number, delimiter: number): Cell {
  let end = start;
  for (; end < text.length; end += 1) {
    const code = text.charCodeAt(end);
    if (code === delimiter || code === 0x0a || code === 0x0d) break;
  }
  return { value: text.slice(start, end).trim(), end };
}

function quotedCell(text: string, start: number, delimiter: number): Cell {
  let end = start + 1;
  for (;;) {
    end = text.indexOf('"', end);
    if (end < 0) return { value: text.slice(start + 1), end: text.length };
    if (text[end + 1] !== '"') break;
    end += 2;
  }
  const value = text.slice(start + 1, end).replaceAll('""', '"');
  // Text between the closing quote and the delimiter is invalid; it stays with this cell.
  const rest = plainCell(text, end + 1, delimiter);
  return { value: (value + rest.value).trim(), end: rest.end };
}
