// A database in which something happens after each statement, so that a reader that needs two statements for one answer sees two states.
import type { Queryable } from '../../../src/db/db.ts';

export function interleaved(db: Queryable, happens: () => Promise<unknown>): Queryable {
  const query = async (...given: Parameters<Queryable['query']>) => {
    const answer = await (db.query as (...all: unknown[]) => Promise<unknown>)(...given);
    await happens();
    return answer;
  };
  return { query } as unknown as Queryable;
}
