// The recipients of the draft, as the worker keeps them: rows of cells, which column is the number. Everything here is
// synchronous and without browser parts, so that a test can run it.
import { fieldsIn, fillFields, valueOrFallback } from '../../../src/text/fields.ts';
import { type Mode, type PreparedText, prepareText } from '../../../src/text/prepare.ts';
import { findDamage, repaired, type SheetShape, shapeOf } from './columns.ts';
import { decodeFile } from './decode-file.ts';
import { detectDelimiter, parseDelimited } from './delimited.ts';
import type { Measured, Problem, RowView, Summary } from './messages.ts';
import { isTable, splitTyped } from './typed.ts';

// Twenty orders of 50,000; beyond that a person should use the API.
export const rowsMax = 1_000_000;
const previewRows = 100;

type Origin = {
  sheets: string[];
  sheet: number;
  encoding: string | null;
  delimiter: string | null;
  problem: Problem | null;
};
const nowhere: Origin = { sheets: [], sheet: 0, encoding: null, delimiter: null, problem: null };

export class RecipientBook {
  #rows: string[][] = [];
  #shape: SheetShape = { header: false, names: [], numberColumn: 0 };
  #origin: Origin = nowhere;
  #version = 0;

  loadBytes(bytes: Uint8Array): Summary {
    const { text, encoding } = decodeFile(bytes);
    const delimiter = detectDelimiter(text);
    const rows = parseDelimited(text, delimiter, rowsMax + 1);
    return this.loadRows(rows, { ...nowhere, encoding, delimiter });
  }

  loadRows(rows: string[][], origin: Origin = nowhere): Summary {
    this.#rows = rows.slice(0, rowsMax);
    this.#shape = shapeOf(this.#rows);
    const problem =
      rows.length === 0
        ? 'empty'
        : this.#shape.numberColumn < 0
          ? 'no-numbers'
          : rows.length > rowsMax
            ? 'too-many'
            : null;
    this.#origin = { ...origin, problem };
    return this.#changed();
  }

  loadText(text: string): Summary {
    if (isTable(text)) {
      const delimiter = detectDelimiter(text);
      return this.loadRows(parseDelimited(text, delimiter, rowsMax), { ...nowhere, delimiter });
    }
    this.#rows = splitTyped(text).map(typed => [typed]);
    this.#shape = { header: false, names: ['numara'], numberColumn: 0 };
    this.#origin = nowhere;
    return this.#changed();
  }

  reshape(header: boolean, numberColumn: number): Summary {
    const guessed = shapeOf(this.#rows);
    const names = header === guessed.header ? guessed.names : shapeOf(header ? this.#rows : [[], ...this.#rows]).names;
    this.#shape = { header, names, numberColumn };
    if (this.#origin.problem === 'no-numbers' && numberColumn >= 0) this.#origin = { ...this.#origin, problem: null };
    return this.#changed();
  }

  failed(problem: Problem): Summary {
    this.#rows = [];
    this.#origin = { ...nowhere, problem };
    return this.#changed();
  }

  clear(): Summary {
    this.#rows = [];
    this.#origin = nowhere;
    return this.#changed();
  }

  get count(): number {
    return this.#shape.numberColumn < 0 ? 0 : Math.max(0, this.#rows.length - (this.#shape.header ? 1 : 0));
  }

  row(at: number): RowView {
    const cells = this.#rows[at + (this.#shape.header ? 1 : 0)];
    if (!cells) return null;
    return { number: this.#numberOf(cells), fields: this.#fieldsOf(cells) };
  }

  /** Recipients from..to with the values of the fields that the text uses. */
  slice(template: string, from: number, to: number): { recipients: string[]; fields?: string[]; values?: string[][] } {
    const offset = this.#shape.header ? 1 : 0;
    const rows = this.#rows.slice(from + offset, to + offset);
    const recipients = rows.map(cells => this.#numberOf(cells));
    const fields = fieldsIn(template).filter(name => this.#shape.names.includes(name));
    if (fields.length === 0) return { recipients };
    const columns = fields.map(name => this.#shape.names.indexOf(name));
    return { recipients, fields, values: rows.map(cells => columns.map(column => cells[column] ?? '')) };
  }

  /** The row whose text needs most parts (most characters among equals), and how often each field is empty. */
  measure(template: string, mode: Mode, fallbacks: Record<string, string>): Measured {
    const fields = fieldsIn(template).filter(name => this.#shape.names.includes(name));
    if (fields.length === 0) return { worst: { ...prepareText(template, mode), row: 0 }, emptyFields: {} };
    const emptyFields: Record<string, number> = {};
    let worst: (PreparedText & { row: number }) | null = null;
    for (let at = 0; at < this.count; at += 1) {
      const values = this.row(at)?.fields ?? {};
      for (const name of fields) if (!values[name]?.trim()) emptyFields[name] = (emptyFields[name] ?? 0) + 1;
      const prepared = prepareText(filledRow(template, values, fallbacks), mode);
      const longer =
        !worst || prepared.parts > worst.parts || (prepared.parts === worst.parts && prepared.units > worst.units);
      if (longer) worst = { ...prepared, row: at };
    }
    return { worst, emptyFields };
  }

  #numberOf(cells: string[]): string {
    return repaired(cells[this.#shape.numberColumn] ?? '');
  }

  #fieldsOf(cells: string[]): Record<string, string> {
    return Object.fromEntries(this.#shape.names.map((name, column) => [name, cells[column] ?? '']));
  }

  #changed(): Summary {
    this.#version += 1;
    const { header, names, numberColumn } = this.#shape;
    const preview = this.#rows.slice(header ? 1 : 0, previewRows + (header ? 1 : 0));
    const damage = findDamage(this.#rows, this.#shape);
    return { count: this.count, names, header, numberColumn, preview, damage, ...this.#origin, version: this.#version };
  }
}

/** The text of one row, as the server will fill it. */
export function filledRow(template: string, values: Record<string, string>, fallbacks: Record<string, string>): string {
  return fillFields(template, field =>
    Object.hasOwn(values, field) ? valueOrFallback(values[field], fallbacks[field]) : undefined,
  );
}
