// The shape of a command: words, arguments, flags, what it does, and how people see the result. One table drives
// parsing, `--help` and the documentation.

import type { Connection, Db } from '../db/db.ts';
import type { Log } from '../log.ts';
import type { Config } from '../settings/config.ts';

export type CommandContext = {
  config: Config;
  db: Db;
  connection: Connection;
  log: Log;
  args: string[];
  flags: Record<string, string>;
  /** Names that look like settings and are none. */
  warnings: string[];
  /** Settings with wrong values; only for a command that says so. */
  problems?: string[];
  /** Settings that somebody gave, as opposed to defaults. */
  given: ReadonlySet<string>;
  /** A line for a person while the command works; none with --json. */
  say?: ((line: string) => void) | undefined;
  /** Where there are cells: all of them. */
  cells?: CommandCells;
  /** `--cell`, for a command that takes it itself. */
  cell?: number;
};

/** One of several databases, and what a command said of it. */
export type CommandCell = { cell: number; db: Db; connection: Connection };
export type CommandCells = { all: CommandCell[]; of(cell: number): CommandCell };
export type CellResult = { cell: number; value: unknown };

export type Command = {
  words: string;
  /** `[ID]` may be left out. */
  args: string[];
  /** Flag → help; a flag in `switches` takes no value. */
  flags?: Record<string, string>;
  switches?: string[];
  /** Accept more arguments than named (key=value …). */
  openArgs?: boolean;
  help: string;
  /** It tells of settings with wrong values itself, instead of being refused for them. */
  takesWrongSettings?: true;
  /** A command that needs none, or sees to it by itself; default: one that is up to date. */
  database?: 'none';
  /** Where there are cells it is run in each of them, and this makes one answer of theirs. */
  everywhere?(results: CellResult[], context: CommandContext): unknown;
  /** About the cells themselves, or it sees to them by itself. */
  atHome?: true;
  run(context: CommandContext): Promise<unknown>;
  /** Human form of the result; default: the value as indented lines. */
  show?(value: never): string;
  /** Human form of an empty list. */
  empty?: string;
};

/** In the audit log. */
export const operator = 'operator (command line)';

/** A mistake of the caller: shown as one line, without a stack. */
export class UsageError extends Error {}

export function need(value: string | undefined, what: string): string {
  if (value === undefined || value === '') throw new UsageError(`${what} is missing`);
  return value;
}

export function accountId(value: string | undefined): number {
  const text = need(value, 'the account ID');
  const id = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (!id) throw new UsageError(`"${text}" is not an account ID`);
  return id;
}

export function wholeNumber(value: string | undefined, what: string, min: number, max: number): number {
  const text = need(value, what);
  const number = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= min && number <= max))
    throw new UsageError(`${what} "${text}" is not a whole number from ${min} to ${max}`);
  return number;
}

/** An address that leads to several hosts fails with several errors, and without a message of its own. */
export function errorText(error: unknown): string {
  if (error instanceof AggregateError && !error.message) return error.errors.map(errorText).join('; ');
  return error instanceof Error ? error.message : String(error);
}
