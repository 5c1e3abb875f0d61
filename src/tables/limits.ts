// How much of a file is read. A file of 50,000 rows and 10 columns stays a hundred times below most of these; what goes
// beyond is a mistake or meant to exhaust the browser.
export const fileBytesMax = 50 * 1024 * 1024;
/** Twenty orders of 50,000; beyond that a person should use the API. */
export const rowsMax = 1_000_000;
export const columnsMax = 500;
export const cellsMax = 10_000_000;
/** Characters of all cells together, a shared text counted wherever it stands. */
export const charactersMax = 100_000_000;
/** What one part of a workbook may unfold to, and how many times its size: sheets are seen at 10 to 60 times. */
export const unfoldedBytesMax = 600 * 1024 * 1024;
export const unfoldedTimesMax = 200;
/** Small parts may be as repetitive as they like. */
export const unfoldedBytesFree = 16 * 1024 * 1024;
export const readMsMax = 120_000;

export type Problem =
  | 'empty'
  | 'no-numbers'
  | 'too-large'
  | 'too-many'
  | 'too-wide'
  | 'too-full'
  | 'too-slow'
  | 'protected'
  | 'unreadable'
  | 'stopped';

/** Why a file is not read further. */
export class Unreadable extends Error {
  readonly problem: Problem;

  constructor(problem: Problem, detail = '') {
    super(`${problem} ${detail}`);
    this.problem = problem;
  }
}
