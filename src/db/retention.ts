// What every owner's retention is made of: statements that remove a bounded piece of what is older than its time, so that no
// lock is held for long. Which rows go when stands with their owner (src/<owner>/retention.ts).
import { nowMs } from '../clock.ts';
import { type Queryable, run, type Sql } from './db.ts';

export const dayMs = 86_400_000;

/** Removes rows that are older than `$1`, at most a few thousand at a time. */
export type RetentionStep = { statement: Sql<unknown>; olderMs: number };

export async function removeOlder(db: Queryable, steps: RetentionStep[]): Promise<void> {
  for (const step of steps) await run(db, step.statement, [before(step.olderMs)]);
}

export function before(ms: number): Date {
  return new Date(nowMs() - ms);
}
