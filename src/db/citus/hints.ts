// Statistics target and storage of columns. A distributed table refuses both statements, the table behind it takes both. So the coordinator
// does not get them (migration-files.ts); they are applied to the tables behind when a server is prepared.
import { type Hint, hintOf, migrationFiles, statementsOf } from '../migration-files.ts';

/** Of all migrations; the last one about a column counts. */
export function hintsOf(files = migrationFiles()): Hint[] {
  const last = new Map<string, Hint>();
  for (const hint of files.flatMap(({ text }) => statementsOf(text)).map(hintOf))
    if (hint) last.set(`${hint.table}.${hint.column} ${hint.what}`, hint);
  return [...last.values()];
}
