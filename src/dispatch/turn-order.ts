// Whose turn it is among the chunks of one account: one after another. Only the chunk at the head is being written, and only
// it and the one behind it need a mark, so that after a crash a few hundred messages are unsure instead of a share of every
// leased chunk. Small chunks (one-time codes) do not wait; accounts do not wait for each other.
import type { ChunkRun } from './chunk-run.ts';

/** Chunks up to this size are written within one turn and carry a mark for all of themselves from their claim on. */
export const smallChunk = 25;

/** The chunk being written, and those of the same account behind it. */
type Line = { head: ChunkRun; rest: ChunkRun[] };

export class TurnOrder {
  readonly #lines = new Map<number, Line>();

  /** Accounts that have a larger chunk under way. */
  get size(): number {
    return this.#lines.size;
  }

  has(accountId: number): boolean {
    return this.#lines.has(accountId);
  }

  add(run: ChunkRun): void {
    if (run.facts.ids.length <= smallChunk) return;
    const line = this.#lines.get(run.facts.accountId);
    if (line) line.rest.push(run);
    else this.#lines.set(run.facts.accountId, { head: begin(run), rest: [] });
  }

  /** A chunk that was begun may always go on: a carrier may have throttled some of its messages. */
  mayGo(run: ChunkRun): boolean {
    if (run.begun || run.facts.ids.length <= smallChunk) return true;
    const line = this.#lines.get(run.facts.accountId)!;
    if (writes(line.head) || line.rest[0] !== run) return false;
    line.head = begin(line.rest.shift()!);
    return true;
  }

  forget(run: ChunkRun): void {
    const line = this.#lines.get(run.facts.accountId);
    if (!line) return;
    if (line.head !== run) line.rest = line.rest.filter(one => one !== run);
    else if (line.rest.length > 0) line.head = begin(line.rest.shift()!);
    else this.#lines.delete(run.facts.accountId);
  }

  /** Chunks whose mark is to be moved: heads close to theirs, and those behind a head that is close to its end. */
  wanting(step: number): ChunkRun[] {
    const found: ChunkRun[] = [];
    for (const { head, rest } of this.#lines.values()) {
      if (head.needsMark(step)) found.push(head);
      const next = rest[0];
      if (next && head.unsent <= step && next.mark === 0 && next.needsMark(step)) found.push(next);
    }
    return found;
  }
}

function begin(run: ChunkRun): ChunkRun {
  run.begun = true;
  return run;
}

function writes(run: ChunkRun): boolean {
  return run.holds && !run.leaving;
}
