// What the planner counts of a column and how the server stores it: a distributed table takes neither statement, the ordinary table
// behind it takes both. So the coordinator is not told (migration-files.ts), and whoever furnishes a server tells the tables there.
import { type Hint, hintOf, migrationFiles, statementsOf } from '../migration-files.ts';

/** Of all migrations; the last one about a column counts. */
export function hintsOf(files = migrationFiles()): Hint[] {
  const last = new Map<string, Hint>();
  for (const hint of files.flatMap(({ text }) => statementsOf(text)).map(hintOf))
    if (hint) last.set(`${hint.table}.${hint.column} ${hint.what}`, hint);
  return [...last.values()];
}
