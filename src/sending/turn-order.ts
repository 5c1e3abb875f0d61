// Whose turn it is among the chunks of one account: one after another. Only the chunk at the head is being written, and only
// it and the one behind it need a mark, so that after a crash a few hundred messages are unsure instead of a share of every
// leased chunk. Small chunks (one-time codes) do not wait, accounts do not wait for each other, and nobody waits for long
// behind a chunk whose carrier takes nothing.
import type { ChunkRun } from './chunk-run.ts';

/** `active`: begun and not yet written to the end, normally one. `rest`: those of the same account behind it. */
type Line = { active: ChunkRun[]; rest: ChunkRun[] };

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
    if (run.hurries) return;
    const line = this.#lines.get(run.facts.accountId);
    if (line) return void line.rest.push(run);
    this.#lines.set(run.facts.accountId, { active: [run], rest: [] });
    run.begun = true;
  }

  /** A chunk that was begun may always go on: a carrier may have throttled some of its messages. */
  mayGo(run: ChunkRun): boolean {
    if (run.begun || run.hurries) return true;
    const line = this.#lines.get(run.facts.accountId)!;
    if (line.rest[0] !== run || line.active.some(one => writes(one) && !one.stuck())) return false;
    beginNext(line);
    return true;
  }

  forget(run: ChunkRun): void {
    const line = this.#lines.get(run.facts.accountId);
    if (!line) return;
    line.active = line.active.filter(one => one !== run);
    line.rest = line.rest.filter(one => one !== run);
    if (line.active.length > 0) return;
    if (line.rest.length > 0) beginNext(line);
    else this.#lines.delete(run.facts.accountId);
  }

  /** Of each account the chunks that may be written next: what is begun, and the one behind it. */
  next(): ChunkRun[][] {
    return Array.from(this.#lines.values(), ({ active, rest }) => [...active, ...rest.slice(0, 1)]);
  }
}

function beginNext(line: Line): void {
  const next = line.rest.shift()!;
  next.begun = true;
  line.active = [...line.active.filter(writes), next];
}

function writes(run: ChunkRun): boolean {
  return run.holds && !run.leaving;
}
