// Writes the refused rows to a file that a spreadsheet opens: line, reason, and the original cells, so that corrected rows can
// be imported from it. Without a refusal there is no file.
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { guarded } from '../text/table-cell.ts';

const byteOrderMark = '\ufeff';

export class RefusedRows {
  readonly path: string;
  #count = 0;
  #headings: string[];
  #stream: WriteStream | null = null;

  /** `headings` of the imported file; empty if it has none. */
  constructor(path: string, headings: string[]) {
    this.path = path;
    this.#headings = headings;
  }

  get count(): number {
    return this.#count;
  }

  async add(line: number, reason: string, cells: string[]): Promise<void> {
    this.#stream ??= this.#opened();
    this.#count += 1;
    const text = lineOf([String(line), reason, ...cells]);
    if (!this.#stream.write(text)) await once(this.#stream, 'drain');
  }

  async end(): Promise<void> {
    if (!this.#stream) return;
    this.#stream.end();
    await once(this.#stream, 'close');
  }

  #opened(): WriteStream {
    // The file contains phone numbers, so only its owner may read it.
    const stream = createWriteStream(this.path, { mode: 0o600 });
    stream.write(byteOrderMark + lineOf(['satır / line', 'neden / reason', ...this.#headings]));
    return stream;
  }
}

function lineOf(cells: string[]): string {
  return `${cells.map(cell => `"${guarded(cell).replaceAll('"', '""')}"`).join(';')}\r\n`;
}
