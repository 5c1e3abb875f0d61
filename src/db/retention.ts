// Helpers for retention: statements that remove a bounded piece of old rows, so that no lock is held for long. Each owner says which rows
// are removed when (src/<owner>/retention.ts); personal data are listed in the registry too (src/privacy/registry.ts).
import { nowMs } from '../time/clock.ts';
import { type Queryable, run, type Sql } from './db.ts';

export const dayMs = 86_400_000;
/** Pause after a round that left rows: removal keeps up with a busy installation without blocking it. */
const soonMs = 1_000;
const piecesPerRound = 20;

/** Retention times that an operator sets, in ms. */
export type Kept = { inbound: number };

const pieceRows = 1_000;
/** Removes rows that are older than `$1`, a thousand at most. */
export type RetentionStep = { statement: Sql<unknown>; olderMs: number | keyof Kept };

/** Pause in ms before the next round, if rows are left. */
export type Left = number | undefined;

/** `kept`: retention times set by an operator. */
export async function removeOlder(db: Queryable, steps: readonly RetentionStep[], kept?: Kept): Promise<Left> {
  let left: Left;
  for (const { statement, olderMs } of steps) {
    const ms = typeof olderMs === 'number' ? olderMs : kept![olderMs];
    left = (await inPieces(pieceRows, () => run(db, statement, [before(ms)]))) ?? left;
  }
  return left;
}

/** Removes pieces until one is not full, or the round has taken long enough. */
export async function inPieces(piece: number, remove: () => Promise<number>): Promise<Left> {
  for (let i = 0; i < piecesPerRound; i++) if ((await remove()) < piece) return undefined;
  return soonMs;
}

export function before(ms: number): Date {
  return new Date(nowMs() - ms);
}
