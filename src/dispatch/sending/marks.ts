// Moves the marks of chunks under way: before anything beyond a mark is written, the mark is moved and stored. What lies before a mark without
// an answer is unsure after a crash, though it may never have been written, so marks run ahead only of what is being written now: small
// chunks by what the links can take, large ones by the pace of their account's writing (mark-step.ts). What is marked and stands still, because
// a link is lost or silent, loses its mark again: an outage of any length followed by a crash leaves nothing unsure that was not written.
import { monotonicMs } from '../../clock.ts';
import type { Db } from '../../db/db.ts';
import { type Mark, moveMarks } from '../../orders/claim.ts';
import type { Router } from '../links/router.ts';
import type { ChunkRun } from './chunk-run.ts';
import type { Flight } from './flight.ts';
import { MarkStep, smallChunk } from './mark-step.ts';
import type { Pump } from './pump.ts';

const largeMost = 500;
const stillAfterMs = 300;
const lookMs = 100;
const flowMs = 100;
const idleMs = 1_000;

type Move = { run: ChunkRun; next: number; before: number };

export class Marks {
  readonly #db: Db;
  readonly #pump: Pump;
  readonly #router: Router<Flight>;
  readonly #smallStep = new MarkStep(monotonicMs());

  constructor(db: Db, pump: Pump, router: Router<Flight>) {
    this.#db = db;
    this.#pump = pump;
    this.#router = router;
  }

  /** How many messages a claim may mark: what the links take now, less what is marked already. */
  get room(): number {
    let marked = 0;
    for (const run of this.#pump.runs) marked += run.marked;
    return Math.max(0, this.#router.room - marked);
  }

  /** Whether a mark is to be moved forward. */
  get wanted(): boolean {
    return this.#flows() && (this.#large().length > 0 || this.#small(1).length > 0);
  }

  /** One statement for all; returns when to look again. */
  async move(): Promise<number> {
    const most = this.#most();
    const step = this.#smallStep.value(Math.max(smallChunk, this.#router.window), monotonicMs());
    const flows = this.#flows();
    const small = flows ? this.#small(step) : [];
    const large = (flows ? this.#large() : []).map(run => ({
      run,
      before: run.mark,
      next: run.nextMark(this.#pump.orders[run.facts.lane].step(run, most)),
    }));
    const moves = [...small, ...large, ...this.#still()];
    if (moves.length === 0) return this.#pump.runs.some(run => run.marked > 0) ? lookMs : idleMs;
    const ours = await this.#store(moves);
    const room = this.#router.anyRoom();
    let dry = false;
    for (const { run, before, next } of moves) {
      if (!ours.has(run.facts.chunkId) || run.mark > next) continue;
      run.mark = next;
      run.movedMs = monotonicMs();
      const isDry = room && run.position >= before;
      if (run.hurries) dry ||= isDry;
      else this.#pump.orders[run.facts.lane].moved(run, isDry && run.begun, most);
    }
    if (small.length > 0) this.#smallStep.moved(dry, this.#router.window, monotonicMs());
    this.#pump.wake();
    return this.wanted ? 0 : lookMs;
  }

  /** Something can be written, or was a moment ago: a full window takes the next message with the next answer. */
  #flows(): boolean {
    return monotonicMs() - this.#pump.writtenMs < flowMs || this.#router.anyRoom();
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

  /** At most two windows ahead, shared by all large chunks under way: one on the wire, one while the database moves the mark. */
  #most(): number {
    const { orders } = this.#pump;
    const share = Math.ceil((2 * this.#router.window) / Math.max(1, orders[0].size + orders[1].size));
    return Math.max(smallChunk, Math.min(largeMost, share));
  }

  #large(): ChunkRun[] {
    const most = this.#most();
    return this.#pump.orders.flatMap(order => order.wanting(most));
  }

  /** Small chunks that could be written further, as far as this many messages stand marked altogether. */
  #small(step: number): Move[] {
    const moves: Move[] = [];
    let left = step;
    for (const run of this.#pump.runs) {
      if (!run.hurries || run.facts.kind !== 0) continue;
      left -= run.marked;
      if (left <= 0) break;
      if (run.marking || run.leaving || run.mark >= run.facts.ids.length) continue;
      const next = Math.min(run.facts.ids.length, run.mark + left);
      left -= next - run.mark;
      moves.push({ run, before: run.mark, next });
    }
    return moves;
  }

  /** What is marked and stands still. From now on it is not written. */
  #still(): Move[] {
    const before = monotonicMs() - stillAfterMs;
    const still = this.#pump.runs.filter(
      run => run.facts.kind === 0 && run.marked > 0 && !run.marking && run.movedMs < before,
    );
    for (const run of still) run.mark = run.position;
    return still.map(run => ({ run, before: run.position, next: run.position }));
  }
}
