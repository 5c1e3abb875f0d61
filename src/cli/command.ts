// The shape of a command: words, arguments, flags, its work, and the human form of its result. One table drives
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
  /** Names that look like settings but are unknown. */
  warnings: string[];
  /** Settings with wrong values; only for a command with `takesWrongSettings`. */
  problems?: string[];
  /** Settings that were set explicitly, not defaults. */
  given: ReadonlySet<string>;
  /** Prints a progress line for a person; absent with --json. */
  say?: ((line: string) => void) | undefined;
  /** All cells, if there are several databases. */
  cells?: CommandCells;
  /** The value of `--cell`, for a command that interprets it itself. */
  cell?: number;
};

/** One of several databases, and the result of a command in it. */
export type CommandCell = { cell: number; db: Db; connection: Connection };
export type CommandCells = { all: CommandCell[]; of(cell: number): CommandCell };
export type CellResult = { cell: number; value: unknown };

export type Command = {
  words: string;
  /** `[ID]` is optional. */
  args: string[];
  /** Flag → help; a flag in `switches` has no value. */
  flags?: Record<string, string>;
  switches?: string[];
  /** Accept more arguments than named (key=value …). */
  openArgs?: boolean;
  help: string;
  /** Reports settings with wrong values itself; other commands are refused because of them. */
  takesWrongSettings?: true;
  /** A command that needs no database, or opens it itself. Default: a database with the current schema. */
  database?: 'none';
  /** With cells the command runs in each of them, and this combines their results. */
  everywhere?(results: CellResult[], context: CommandContext): unknown;
  /** Runs at home only: it concerns the cells themselves, or visits them itself. */
  atHome?: true;
  run(context: CommandContext): Promise<unknown>;
  /** Human form of the result; default: the value as indented lines. */
  show?(value: never): string;
  /** Human form of an empty list. */
  empty?: string;
};

/** The actor in the audit log. */
export const operator = 'operator (command line)';

/** A mistake of the caller: printed as one line, without a stack. */
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

/** An address with several hosts fails with several errors and has no message of its own. */
export function errorText(error: unknown): string {
  if (error instanceof AggregateError && !error.message) return error.errors.map(errorText).join('; ');
  return error instanceof Error ? error.message : String(error);
}
