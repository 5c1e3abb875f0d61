// A file of another kind than recipients (consents, the blacklist), as the worker keeps it: what the page shows of it, and
// its rows piece by piece, only the columns that were chosen.
import type { Problem } from '../../../src/tables/limits.ts';
import { emptyTable, type Table } from '../../../src/tables/read-table.ts';
import { repaired, type SheetShape, shapeOf } from './columns.ts';
import type { TableRows, TableView } from './messages.ts';

const previewRows = 5;

export class ImportTable {
  #table: Table = emptyTable();
  #shape: SheetShape = { header: false, names: [], numberColumn: -1 };

  load(table: Table): TableView {
    this.#table = table;
    this.#shape = shapeOf(table.rows);
    return this.view();
  }

  reshape(header: boolean, numberColumn: number): TableView {
    this.#shape = { ...this.#shape, header, numberColumn };
    return this.view();
  }

  rows(from: number, to: number, columns: number[]): TableRows {
    const { rows, lines } = this.#table;
    const offset = this.#shape.header ? 1 : 0;
    return {
      rows: rows
        .slice(from + offset, to + offset)
        .map(cells =>
          columns.map(column =>
            column === this.#shape.numberColumn ? repaired(cells[column] ?? '') : (cells[column] ?? ''),
          ),
        ),
      lines: lines.slice(from + offset, to + offset),
    };
  }

  view(problem: Problem | null = this.#table.problem): TableView {
    const { rows, sheets, sheet } = this.#table;
    const { header, names, numberColumn } = this.#shape;
    const offset = header ? 1 : 0;
    return {
      count: Math.max(0, rows.length - offset),
      titles: header ? names.map((_, column) => rows[0]?.[column] ?? '') : [],
      names,
      header,
      numberColumn,
      preview: rows.slice(offset, previewRows + offset),
      sheets,
      sheet,
      problem,
    };
  }
}
