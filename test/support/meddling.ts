// A database in which something happens after each statement: whoever asks twice for what belongs together sees two moments.
import type { Queryable } from '../../src/db/db.ts';

export function meddling(db: Queryable, happens: () => Promise<unknown>): Queryable {
  const query = async (...given: Parameters<Queryable['query']>) => {
    const answer = await (db.query as (...all: unknown[]) => Promise<unknown>)(...given);
    await happens();
    return answer;
  };
  return { query } as unknown as Queryable;
}
