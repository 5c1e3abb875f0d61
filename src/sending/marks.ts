// Moves the marks of chunks under way: before anything beyond a mark is written, the mark is moved and stored. What lies before a mark without
// an answer is unsure after a crash, though it may never have been written, and a campaign that is never sent twice loses it. So marks are ahead
// only of what the links take now, and of what will be written while the database moves them (some milliseconds of the present pace). What is
// marked and stands still, because a link is lost or silent, loses its mark again: an outage of any length followed by a crash leaves nothing
// unsure that was not written.

import type { Db } from '../db/db.ts';
import { type Mark, moveMarks } from '../queue/claim.ts';
import { monotonicMs } from '../time/clock.ts';
import type { ChunkRun } from './chunk-run.ts';
import type { Flight } from './flight.ts';
import type { Router } from './links/router.ts';
import type { Pump } from './pump.ts';
import { WritingPace } from './writing-pace.ts';

const stillAfterMs = 300;
const lookMs = 100;
const idleMs = 1_000;

type Move = { run: ChunkRun; next: number };

export class Marks {
  readonly #db: Db;
  readonly #pump: Pump;
  readonly #router: Router<Flight>;
  readonly #pace = new WritingPace();

  constructor(db: Db, pump: Pump, router: Router<Flight>) {
    this.#db = db;
    this.#pump = pump;
    this.#router = router;
  }

  /** How many messages a claim may mark: what the links take now, less what is marked already. */
  get room(): number {
    return Math.max(0, this.#router.room.any - this.#marked());
  }

  /** Whether marks are to be moved forward: half of what they are to be ahead is written. */
  get wanted(): boolean {
    const lead = this.#lead();
    const marked = this.#marked();
    return marked <= lead / 2 && this.#forward(lead - marked).length > 0;
  }

  /** One statement for all; returns when to look again. */
  async move(): Promise<number> {
    const moves = [...this.#forward(this.#lead() - this.#marked()), ...this.#still()];
    if (moves.length === 0) return this.#marked() > 0 ? lookMs : idleMs;
    const ours = await this.#store(moves);
    for (const { run, next } of moves) {
      if (!ours.has(run.facts.chunkId) || run.mark > next) continue;
      run.mark = next;
      run.movedMs = monotonicMs();
    }
    this.#pump.wake();
    return this.wanted ? 0 : lookMs;
  }

  async #store(moves: Move[]): Promise<Set<number>> {
    const marks: Mark[] = moves.map(({ run, next }) => ({
      chunkId: run.facts.chunkId,
      token: run.facts.token,
      mark: run.databaseMark(next),
    }));
    for (const { run } of moves) run.marking = true;
    try {
      return await moveMarks(this.#db, marks);
    } finally {
      for (const { run } of moves) run.marking = false;
    }
  }

  /** Marked and not written, over all chunks whose carrier takes something. */
  #marked(): number {
    let sum = 0;
    for (const run of this.#pump.runs) if (!run.stuck()) sum += run.marked;
    return sum;
  }

  /** How many messages are written while the database moves a mark. */
  #lead(): number {
    return this.#pace.lead(this.#pump.written, monotonicMs());
  }

  /**
   * Marks for what the links take now, and so many more: small chunks first, then large ones, evenly among accounts. Those of one account get
   * theirs one after another, so that a crash leaves a few hundred messages unsure and not a share of every chunk.
   */
  #forward(more: number): Move[] {
    const moves: Move[] = [];
    const { any, large } = this.#router.room;
    let left = any + more;
    const add = (run: ChunkRun, most: number): void => {
      if (most <= 0 || run.marking || run.leaving || run.mark >= run.facts.ids.length) return;
      // Of one whose carrier takes nothing the next message finds out when it does again.
      const next = Math.min(run.facts.ids.length, run.mark + (run.stuck() ? 1 - Math.min(1, run.marked) : most));
      if (next === run.mark) return;
      if (!run.stuck()) left -= next - run.mark;
      moves.push({ run, next });
    };
    if (left <= 0) return moves;
    for (const run of this.#pump.runs) if (run.hurries) add(run, left);
    // A few places of each window are not for them.
    left = Math.min(left, large + more);
    for (const lane of [0, 1] as const) {
      const lines = linesOf(this.#pump.runs, lane);
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

  /** What is marked and stands still. From now on it is not written. */
  #still(): Move[] {
    const before = monotonicMs() - stillAfterMs;
    const still = this.#pump.runs.filter(run => run.marked > 0 && !run.marking && run.movedMs < before);
    for (const run of still) run.mark = run.position;
    return still.map(run => ({ run, next: run.position }));
  }
}

/** The larger chunks of a lane: those of each account, the first of which is written first. */
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
