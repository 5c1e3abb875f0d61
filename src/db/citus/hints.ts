// Statistics target and storage of columns. A distributed table refuses both statements, but its underlying table accepts them. So the
// coordinator does not get them (migration-files.ts); they are applied to the underlying tables when a server is prepared.
import { type Hint, hintOf, migrationFiles, statementsOf } from '../migration-files.ts';

/** Hints of all migrations; the last one of a column counts. */
export function hintsOf(files = migrationFiles()): Hint[] {
  const last = new Map<string, Hint>();
  for (const hint of files.flatMap(({ text }) => statementsOf(text)).map(hintOf))
    if (hint) last.set(`${hint.table}.${hint.column} ${hint.what}`, hint);
  return [...last.values()];
}
