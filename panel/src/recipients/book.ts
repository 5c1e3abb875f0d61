// The recipients of the draft, as the worker keeps them: rows of cells, which column is the number. Everything here is synchronous and without browser parts, so that a test can run it.
import type { ListShape, RowSample, SendPreview } from '../../../src/panel-api/send/contract.ts';
import { DelimitedReader, detectDelimiter } from '../../../src/tables/delimited.ts';
import { type Problem, rowsMax } from '../../../src/tables/limits.ts';
import { emptyTable, type Table } from '../../../src/tables/read-table.ts';
import { fieldsIn, fillFields, valueOrFallback } from '../../../src/text/fields.ts';
import { type Mode, prepareText } from '../../../src/text/prepare.ts';
import { findDamage, repaired, type SheetShape, shapeOf } from './columns.ts';
import type { LineSample, ListPreview, LocalList, Longest, Measured, RowView, Summary } from './messages.ts';
import { isTable, readTyped } from './typed.ts';

const previewRows = 100;
// The server takes no more of either.

export class RecipientBook {
  #table: Table = emptyTable();
  #shape: SheetShape = { header: false, names: [], numberColumn: 0 };
  #problem: Problem | null = null;
  #version = 0;
  #listVersion = 0;
  #passed = new Set<number>();

  loadTable(table: Table): Summary {
    this.#replace(table);
    this.#shape = shapeOf(table.rows);
    this.#problem = table.problem ?? (this.#shape.numberColumn < 0 ? 'no-numbers' : null);
    return this.#changed();
  }

  loadText(text: string): Summary {
    if (isTable(text)) return this.loadTable(pastedTable(text));
    const { values, lines } = readTyped(text);
    this.#replace({ ...emptyTable(), rows: values.map(typed => [typed]), lines });
    this.#shape = { header: false, names: ['numara'], numberColumn: 0 };
    this.#problem = null;
    return this.#changed();
  }

  reshape(header: boolean, numberColumn: number): Summary {
    const { rows } = this.#table;
    const guessed = shapeOf(rows);
    const names = header === guessed.header ? guessed.names : shapeOf(header ? rows : [[], ...rows]).names;
    this.#shape = { header, names, numberColumn };
    if (this.#problem === 'no-numbers' && numberColumn >= 0) this.#problem = null;
    return this.#changed();
  }

  clear(): Summary {
    return this.loadText('');
  }

  /** A list that was stored before, read the way it was read then. */
  resume(rows: string[][], shape: ListShape): Summary {
    this.loadTable({ ...emptyTable(), rows, lines: rows.map((_, at) => at + 1) });
    const { header, numberColumn, names } = shape;
    this.#shape = { header, numberColumn, names };
    this.#problem = null;
    return this.#changed();
  }

  /** The list as the server is to keep it. */
  local(fileName: string | null): LocalList {
    const { header, numberColumn, names } = this.#shape;
    return { rows: this.#table.rows, shape: { fileName, header, numberColumn, names }, listVersion: this.#listVersion };
  }

  /** A list without a file, as it was typed or pasted. */
  typed(): string {
    return this.#table.rows.map(cells => cells.join('\t')).join('\n');
  }

  /** Rows that get nothing, as far as the server has named them: a look through the messages leaves them out. */
  passOver(rows: SendPreview['rows']): void {
    this.#passed = new Set(Object.values(rows).flatMap(samples => samples.map(one => one.row)));
  }

  /** Rows with a recipient. Who stands in the list twice is found by the server, which merges all forms of a number. */
  get count(): number {
    return this.#shape.numberColumn < 0 ? 0 : this.#rowCount;
  }

  get #rowCount(): number {
    return Math.max(0, this.#table.rows.length - this.#offset);
  }

  row(at: number): RowView {
    const cells = this.#cells(at);
    return cells ? { number: this.#numberOf(cells), fields: this.#fieldsOf(cells), at, line: this.#lineOf(at) } : null;
  }

  /** The next row in that direction that gets a message; null: there is none. */
  next(from: number, step: 1 | -1): RowView {
    for (let at = from; at >= 0 && at < this.count; at += step) if (!this.#passed.has(at)) return this.row(at);
    return null;
  }

  /** The server's account of the list in the words of the file: rows by their lines. */
  inFile(preview: SendPreview): ListPreview {
    const { rows } = preview;
    const placed = (samples: RowSample[]): LineSample[] =>
      samples.map(({ row, ...sample }) => ({ ...sample, line: this.#lineOf(row) }));
    return {
      ...preview,
      longest: preview.longest && { ...preview.longest, line: this.#lineOf(preview.longest.row) },
      rows: {
        invalid: placed(rows.invalid),
        duplicate: placed(rows.duplicate),
        blacklisted: placed(rows.blacklisted),
        nonConsented: placed(rows.nonConsented),
      },
    };
  }

  /** The row whose text needs most parts (most characters among equals), and how often each field is empty. */
  measure(template: string, mode: Mode, fallbacks: Record<string, string>): Measured {
    const fields = fieldsIn(template).filter(name => this.#shape.names.includes(name));
    if (fields.length === 0)
      return { worst: { ...prepareText(template, mode), row: 0, line: this.#lineOf(0) }, emptyFields: {} };
    const emptyFields: Record<string, number> = {};
    let worst: Longest | null = null;
    for (let at = 0; at < this.count; at += 1) {
      // A row that gets nothing needs no word for its empty fields.
      if (this.#passed.has(at)) continue;
      const values = this.row(at)?.fields ?? {};
      for (const name of fields) if (!values[name]?.trim()) emptyFields[name] = (emptyFields[name] ?? 0) + 1;
      const prepared = prepareText(filledRow(template, values, fallbacks), mode);
      const longer =
        !worst || prepared.parts > worst.parts || (prepared.parts === worst.parts && prepared.units > worst.units);
      if (longer) worst = { ...prepared, row: at, line: this.#lineOf(at) };
    }
    return { worst, emptyFields };
  }

  #cells(at: number): string[] | undefined {
    return this.#table.rows[at + this.#offset];
  }

  #lineOf(at: number): number {
    return this.#table.lines[at + this.#offset] ?? at + 1;
  }

  get #offset(): number {
    return this.#shape.header ? 1 : 0;
  }

  #numberOf(cells: string[]): string {
    return repaired(cells[this.#shape.numberColumn] ?? '');
  }

  #fieldsOf(cells: string[]): Record<string, string> {
    return Object.fromEntries(this.#shape.names.map((name, column) => [name, cells[column] ?? '']));
  }

  #replace(table: Table): void {
    this.#table = table;
    this.#listVersion += 1;
    this.#passed = new Set();
  }

  #changed(): Summary {
    this.#version += 1;
    return this.summary();
  }

  summary(): Summary {
    const { header, names, numberColumn } = this.#shape;
    const { rows, lines, sheets, sheet, encoding, delimiter, gaps } = this.#table;
    return {
      count: this.count,
      rowCount: this.#rowCount,
      names,
      header,
      numberColumn,
      preview: rows.slice(header ? 1 : 0, previewRows + (header ? 1 : 0)),
      damage: findDamage(rows, lines, this.#shape),
      gaps,
      sheets,
      sheet,
      encoding,
      delimiter,
      problem: this.#problem,
      version: this.#version,
    };
  }
}

function pastedTable(text: string): Table {
  const table = { ...emptyTable(), delimiter: detectDelimiter(text) };
  const keep = (cells: string[], line: number) => {
    if (table.rows.length >= rowsMax || cells.every(cell => cell === '')) return;
    table.rows.push(cells);
    table.lines.push(line);
  };
  new DelimitedReader(table.delimiter, keep).push(text, true);
  return table;
}

/** The text of one row, as the server will fill it. */
export function filledRow(template: string, values: Record<string, string>, fallbacks: Record<string, string>): string {
  return fillFields(template, field =>
    Object.hasOwn(values, field) ? valueOrFallback(values[field], fallbacks[field]) : undefined,
  );
}
