// Helpers for erasure: statements that change a bounded piece, in the order of a key, until the end of the table. Each owner has its erasers
// (src/<owner>/erase.ts), listed in the registry of personal data (src/privacy/registry.ts).
import { type Db, type Queryable, rows, run, type Sql } from './db.ts';

/** Erases a person's number from a table of this database; returns how many rows were changed or removed. */
export type Eraser = (db: Db, number: number) => Promise<number>;

/** Calls `change` with one piece after another; `next` reads the rows after a row. */
export async function inKeyOrder<Row extends object>(
  next: (after: Row | undefined) => Promise<Row[]>,
  change: (piece: Row[]) => Promise<number>,
): Promise<number> {
  let changed = 0;
  for (let after: Row | undefined; ; ) {
    const piece = await next(after);
    if (piece.length === 0) return changed;
    changed += await change(piece);
    after = piece.at(-1);
  }
}

/** For a table with an id: `find` reads rows after an id ($1), and `change` gets the ids of the `wanted` ones ($1). */
export function byId<Row extends { id: number }>(
  db: Queryable,
  {
    find,
    given = [],
    wanted,
    change,
  }: { find: Sql<Row>; given?: unknown[]; wanted(row: Row): boolean; change: Sql<never> },
): Promise<number> {
  return inKeyOrder<Row>(
    after => rows(db, find, [after?.id ?? 0, ...given]),
    async piece => {
      const ids = piece.filter(wanted).map(one => one.id);
      return ids.length === 0 ? 0 : run(db, change, [ids]);
    },
  );
}

/** Repeats a statement that changes at most `most` rows and does not match them again. */
export async function untilNone(most: number, change: () => Promise<number>): Promise<number> {
  for (let changed = 0; ; ) {
    const count = await change();
    changed += count;
    if (count < most) return changed;
  }
}
