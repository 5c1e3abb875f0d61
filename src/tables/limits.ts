// Limits of a file. A file of 50,000 rows and 10 columns is a hundred times below most of them; anything beyond is a mistake or
// an attack on the browser's memory.
export const fileBytesMax = 50 * 1024 * 1024;
/** Twenty orders of 50,000; larger lists should use the API. */
export const rowsMax = 1_000_000;
export const columnsMax = 500;
export const cellsMax = 10_000_000;
/** Characters of all cells together; a shared text counts for each cell. */
export const charactersMax = 100_000_000;
/** Limits of one unpacked part of a workbook, in bytes and as a ratio: sheets usually unpack to 10 to 60 times their size. */
export const unfoldedBytesMax = 600 * 1024 * 1024;
export const unfoldedTimesMax = 200;
/** Small parts may have any ratio. */
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
