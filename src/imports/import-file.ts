// Imports an export file in batches: each batch is checked and stored in one transaction, and refused rows go to a report.
// Memory holds one batch, whatever the size of the file (and the shared texts of a workbook).
import { openAsBlob } from 'node:fs';
import { type Db, type Tx, transaction } from '../db/db.ts';
import { type Problem, Unreadable } from '../tables/limits.ts';
import { type RowOptions, readRows } from '../tables/read-table.ts';
import { type Columns, layoutOf } from './headings.ts';
import type { Context, Kind, Row } from './kinds.ts';
import { RefusedRows } from './refused-rows.ts';

type ImportTask = {
  kind: Kind;
  path: string;
  context: Context;
  /** Checks and counts without storing anything. */
  isDry: boolean;
  reportPath: string;
  /** Runs in the transaction of the first batch that is stored. */
  onFirst(tx: Tx): Promise<void>;
  onProgress(share: number, rows: number): void;
};
export type ImportResult = {
  rows: number;
  added: number;
  known: number;
  refused: number;
  report: string | null;
  columns: Record<string, string>;
};

/** A file that cannot be imported at all, explained for the operator. */
export class ImportProblem extends Error {}

const batchRows = 5_000;
const titleRowsMax = 10;

const leadingOf = (kind: Kind): string => Object.keys(kind.fields)[0]!;

const problems: Record<Problem, string> = {
  empty: 'the file has no rows',
  'no-numbers': 'no column holds numbers',
  'too-large': 'the file is larger than 50 MB: split it',
  'too-many': 'the file has more than a million rows: split it',
  'too-wide': 'the file has more than 500 columns',
  'too-full': 'the file holds more than is read of one file: split it',
  'too-slow': 'the file takes too long to read',
  protected: 'an old .xls file or one with a password: save it as .xlsx or CSV without a password',
  unreadable: 'the file is neither CSV nor XLSX, or is damaged',
  stopped: 'stopped',
};

export async function importFile(db: Db, task: ImportTask): Promise<ImportResult> {
  const run = new ImportRun(db, task);
  const file = await openAsBlob(task.path);
  const { signal } = new AbortController();
  const problem = await problemOf(file, {
    sheet: 0,
    dates: 'iso',
    signal,
    msMax: Number.POSITIVE_INFINITY,
    onShare: share => task.onProgress(share, run.rows),
    onRow: (cells, line) => run.hear(cells, line),
    between: () => run.store(batchRows),
  });
  await run.store(1).finally(() => run.end());
  if (problem) throw new ImportProblem(`${problems[problem]}; ${run.rows} rows were read`);
  run.requireColumns();
  return run.result();
}

async function problemOf(file: Blob, options: RowOptions): Promise<Problem | null> {
  try {
    return (await readRows(file, options)).problem;
  } catch (error) {
    if (error instanceof Unreadable) return error.problem;
    throw error;
  }
}

class ImportRun {
  rows = 0;
  readonly #db: Db;
  readonly #task: ImportTask;
  #columns: Columns<string> | null = null;
  #headings: string[] = [];
  #looked: string[][] = [];
  #refused: RefusedRows;
  #waiting: { cells: string[]; line: number }[] = [];
  #sums = { added: 0, known: 0 };
  #isFirst = true;

  constructor(db: Db, task: ImportTask) {
    this.#db = db;
    this.#task = task;
    this.#refused = new RefusedRows(task.reportPath, []);
  }

  hear(cells: string[], line: number): void {
    if (!this.#columns && this.#isBeforeRows(cells)) return;
    this.rows += 1;
    this.#waiting.push({ cells, line });
  }

  /** Skips titles above the table, and the headings. */
  #isBeforeRows(cells: string[]): boolean {
    const { kind, reportPath } = this.#task;
    const { columns, hasHeadings } = layoutOf(kind.fields, cells, kind.fits);
    this.#looked.push(cells);
    if ((columns[leadingOf(kind)] ?? -1) < 0) {
      if (this.#looked.length >= titleRowsMax) this.requireColumns();
      return true;
    }
    this.#columns = columns;
    this.#headings = hasHeadings ? cells : [];
    this.#refused = new RefusedRows(reportPath, this.#headings);
    this.requireColumns();
    return hasHeadings;
  }

  /** Throws if required columns are missing. */
  requireColumns(): void {
    const { kind, context } = this.#task;
    const leading = leadingOf(kind);
    const columns = this.#columns;
    if (!columns) {
      const seen = (this.#looked[0] ?? []).slice(0, 8).join(' | ');
      const names = kind.fields[leading]!.slice(0, 6).join(', ');
      throw new ImportProblem(`no column for ${leading} was found (first row: ${seen}); it may be called ${names}`);
    }
    const missing = kind.lacks?.(field => (columns[field] ?? -1) >= 0 || Boolean(context.preset[field]));
    if (missing) throw new ImportProblem(missing);
  }

  /** Yields while at least this many rows wait. */
  async store(least: number): Promise<void> {
    while (this.#waiting.length >= least && this.#waiting.length > 0)
      await this.#storeBatch(this.#waiting.splice(0, batchRows));
  }

  async #storeBatch(batch: { cells: string[]; line: number }[]): Promise<void> {
    const { kind, context, isDry } = this.#task;
    const fields = Object.entries(this.#columns!);
    const rows = batch.map(({ cells, line }): Row => {
      const row = Object.fromEntries(fields.map(([field, at]) => [field, cells[at] ?? '']));
      return Object.assign(row, { line }) as unknown as Row;
    });
    const taken = await inTransaction(this.#db, isDry, async tx => {
      const found = await kind.take(tx, context, rows);
      if (this.#isFirst && found.added > 0 && !isDry) await this.#task.onFirst(tx);
      return found;
    });
    if (taken.added > 0) this.#isFirst = false;
    this.#sums.added += taken.added;
    this.#sums.known += taken.known;
    const cellsOf = new Map(batch.map(one => [one.line, one.cells]));
    for (const { line, reason } of taken.refused) await this.#refused.add(line, reason, cellsOf.get(line) ?? []);
  }

  end(): Promise<void> {
    return this.#refused.end();
  }

  result(): ImportResult {
    const { count, path } = this.#refused;
    const shown = Object.entries(this.#columns ?? {}).filter(([, at]) => at >= 0);
    const nameOf = (at: number) => this.#headings[at] ?? `${at + 1}.`;
    const columns = Object.fromEntries(shown.map(([field, at]) => [field, nameOf(at)]));
    return { rows: this.rows, ...this.#sums, refused: count, report: count > 0 ? path : null, columns };
  }
}

class TakenBack extends Error {}

/** A dry run does everything and rolls back. */
async function inTransaction<T>(db: Db, isDry: boolean, work: (tx: Tx) => Promise<T>): Promise<T> {
  let result: T | undefined;
  try {
    await transaction(db, async tx => {
      result = await work(tx);
      if (isDry) throw new TakenBack();
    });
  } catch (error) {
    if (!(error instanceof TakenBack)) throw error;
  }
  return result!;
}
