// Rows and cells of delimited text (RFC 4180 quotes, any of , ; tab |). Hand-made because it must run in a worker over
// tens of megabytes in one pass, and because the delimiter is to be found out, not asked for.
export const delimiters = [';', ',', '\t', '|'] as const;
export type Delimiter = (typeof delimiters)[number];

const sampleLinesMax = 50;

/** The delimiter that splits the first lines most evenly; ";" wins ties, as Turkish Excel writes it. */
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

/** Blank lines are dropped; a quote that is never closed takes the rest of the text as its cell. */
export function parseDelimited(text: string, delimiter: Delimiter, rowsMax: number): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  const endRow = () => {
    if (row.length > 1 || (row[0] ?? '') !== '') rows.push(row);
    row = [];
  };
  while (at <= text.length && rows.length < rowsMax) {
    const cell = text[at] === '"' ? quotedCell(text, at, delimiter) : plainCell(text, at, delimiter);
    row.push(cell.value);
    at = cell.end;
    if (text[at] === delimiter) {
      at += 1;
      continue;
    }
    endRow();
    if (at >= text.length) break;
    at += text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1;
  }
  return rows;
}

type Cell = { value: string; end: number };

function plainCell(text: string, start: number, delimiter: Delimiter): Cell {
  let end = start;
  while (end < text.length && text[end] !== delimiter && text[end] !== '\n' && text[end] !== '\r') end += 1;
  return { value: text.slice(start, end).trim(), end };
}

function quotedCell(text: string, start: number, delimiter: Delimiter): Cell {
  let end = start + 1;
  for (;;) {
    end = text.indexOf('"', end);
    if (end < 0) return { value: text.slice(start + 1), end: text.length };
    if (text[end + 1] !== '"') break;
    end += 2;
  }
  const value = text.slice(start + 1, end).replaceAll('""', '"');
  // What stands between the closing quote and the delimiter belongs to no cell we know; it is kept with this one.
  const rest = plainCell(text, end + 1, delimiter);
  return { value: (value + rest.value).trim(), end: rest.end };
}
