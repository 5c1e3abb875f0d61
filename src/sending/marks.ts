// Moves the marks of leased chunks: a mark is moved and stored before a message beyond it is written. After a crash every message before its
// mark without an answer is unsure, though it may never have been written, and campaigns lose it. So a mark is ahead only by what the links can
// take now and by what is written while the database moves it (some milliseconds at the present pace). After the death of a process
// alone src/queue/chunk-progress.ts tells what was written.

import type { Db } from '../db/db.ts';
import { moveMarks } from '../queue/claim.ts';
import { monotonicMs } from '../time/clock.ts';
import type { ChunkRun } from './chunk-run.ts';
import type { Flight } from './flight.ts';
import type { Router } from './links/router.ts';
import type { Pump } from './pump.ts';
import { WritingPace } from './writing-pace.ts';

const lookMs = 100;
const idleMs = 1_000;

type Move = { run: ChunkRun; next: number };

export class Marks {
  readonly #parts: { db: Db; pump: Pump; router: Router<Flight> };
  readonly #pace = new WritingPace();

  constructor(parts: { db: Db; pump: Pump; router: Router<Flight> }) {
    this.#parts = parts;
  }

  /** How many messages a claim may mark: what the links can take now, less what is marked. */
  get room(): number {
    return Math.max(0, this.#parts.router.room.any - this.#marked());
  }

  /** Whether to move marks: half of the marked messages are written. */
  get wanted(): boolean {
    const lead = this.#lead();
    const marked = this.#marked();
    return marked <= lead / 2 && this.#forward(lead - marked).length > 0;
  }

  /** Moves all marks by one statement; returns when to check again. */
  async move(): Promise<number> {
    const moves = this.#forward(this.#lead() - this.#marked());
    if (moves.length === 0) return this.#marked() > 0 ? lookMs : idleMs;
    const ours = await this.#store(moves);
    for (const { run, next } of moves) if (ours.has(run.facts.chunkId)) run.mark = Math.max(run.mark, next);
    this.#parts.pump.wake();
    return this.wanted ? 0 : lookMs;
  }

  async #store(moves: Move[]): Promise<Set<number>> {
    const marks = moves.map(({ run, next }) => run.markAt(next));
    for (const { run } of moves) run.marking = true;
    try {
      return await moveMarks(this.#parts.db, marks);
    } finally {
      for (const { run } of moves) run.marking = false;
    }
  }

  /** How many messages are marked and not written, over all chunks whose carrier accepts messages. */
  #marked(): number {
    let sum = 0;
    for (const run of this.#parts.pump.runs) if (!run.stuck()) sum += run.marked;
    return sum;
  }

  /** How many messages are written while the database moves a mark. */
  #lead(): number {
    return this.#pace.lead(this.#parts.pump.written, monotonicMs());
  }

  /**
   * Marks for what the links can take now plus `more`: small chunks first, then large ones, evenly among accounts. Chunks of one account are
   * marked one after another, so that a crash leaves a few hundred messages unsure and not a share of every chunk.
   */
  #forward(more: number): Move[] {
    const moves: Move[] = [];
    const { any, large } = this.#parts.router.room;
    let left = any + more;
    const add = (run: ChunkRun, most: number): void => {
      if (most <= 0 || run.marking || run.leaving || run.mark >= run.facts.ids.length) return;
      // A stuck chunk has one marked message, which finds out when its carrier accepts messages again.
      const next = Math.min(run.facts.ids.length, run.mark + (run.stuck() ? 1 - Math.min(1, run.marked) : most));
      if (next === run.mark) return;
      if (!run.stuck()) left -= next - run.mark;
      moves.push({ run, next });
    };
    if (left <= 0) return moves;
    for (const run of this.#parts.pump.runs) if (run.hurries) add(run, left);
    // Large orders do not use the part of each window that is reserved for small ones.
    left = Math.min(left, large + more);
    for (const lane of [0, 1] as const) {
      const lines = linesOf(this.#parts.pump.runs, lane);
      const share = Math.ceil(left / Math.max(1, lines.length));
      for (const line of lines) {
        let rest = Math.min(left, share);
        for (const run of line) {
          const before = left;
          add(run, rest);
          rest -= before - left;
        }
      }
    }
    return moves;
  }
}

/** The large chunks of a lane, by account, in the order of writing. */
function linesOf(runs: ChunkRun[], lane: 0 | 1): ChunkRun[][] {
  const lines = new Map<number, ChunkRun[]>();
  const larger = runs.filter(run => run.facts.lane === lane && !run.hurries);
  for (const run of larger.sort((one, other) => one.facts.chunkId - other.facts.chunkId)) {
    const line = lines.get(run.facts.accountId);
    if (line) line.push(run);
    else lines.set(run.facts.accountId, [run]);
  }
  return [...lines.values()];
}
