// What every owner's retention is made of: statements that remove a bounded piece of what is older than its time, so that no
// lock is held for long. Which rows go when stands with their owner (src/<owner>/retention.ts),
// and of people's data in the registry too (src/privacy/registry.ts).
import { nowMs } from '../time/clock.ts';
import { type Queryable, run, type Sql } from './db.ts';

export const dayMs = 86_400_000;
/** The pause after a round that left something: it removes as fast as a busy installation makes it, and lets others work. */
const soonMs = 1_000;
const piecesPerRound = 20;

/** What an operator sets, in ms. */
export type Kept = { inbound: number };

/** Removes rows that are older than `$1`, at most `piece` of them. */
export type RetentionStep = { statement: Sql<unknown>; olderMs: number | keyof Kept; piece: number };

/** After how many ms to go on, where something is left. */
export type Left = number | undefined;

/** `kept`: for steps whose time an operator sets. */
export async function removeOlder(db: Queryable, steps: readonly RetentionStep[], kept?: Kept): Promise<Left> {
  let left: Left;
  for (const { statement, olderMs, piece } of steps) {
    const ms = typeof olderMs === 'number' ? olderMs : kept![olderMs];
    left = (await inPieces(piece, () => run(db, statement, [before(ms)]))) ?? left;
  }
  return left;
}

/** Until a piece is not a whole one, or it has been enough for one round. */
export async function inPieces(piece: number, remove: () => Promise<number>): Promise<Left> {
  for (let i = 0; i < piecesPerRound; i++) if ((await remove()) < piece) return undefined;
  return soonMs;
}

export function before(ms: number): Date {
  return new Date(nowMs() - ms);
}
