// What cannot be worked on, whoever tries: a damaged text, a value nobody can encode, a row the database refuses. It is set aside and
// named by `peyk audit`, so that it neither ends the process nor holds up its lane. Its messages end with their order: validity plus
// grace, 112, credit back.
import { Unreadable } from '../../content.ts';
import { sqlState } from '../../db/db.ts';

/** SQLSTATE classes that blame the data and not the server: data exception, constraint, raised by a function. */
const dataClasses = new Set(['22', '23', 'P0']);

/** Whether trying again can only fail again. */
export function isPoison(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError || error instanceof Unreadable) return true;
  return dataClasses.has(sqlState(error).slice(0, 2));
}
