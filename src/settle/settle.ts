// Ends messages: status, counters, credit, ledger and events change in one transaction (sql/settle.sql).
import { int2s, int8s } from '../db/arrays.ts';
import { type Queryable, row, sql } from '../db/db.ts';

const settleSql = sql<{ settled: number }>('settle')`select settle($1, $2, $3) as settled`;

/** Inside the caller's transaction; returns how many had not ended before. */
export async function settleMessages(
  db: Queryable,
  ends: { id: number; status: number; reason: number }[],
): Promise<number> {
  const columns = [
    int8s(ends.map(one => one.id)),
    int2s(ends.map(one => one.status)),
    int2s(ends.map(one => one.reason)),
  ];
  return (await row(db, settleSql, columns))!.settled;
}
