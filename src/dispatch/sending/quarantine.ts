// Chunks that cannot be worked on, whoever tries: a damaged text, a value nobody can encode, a row the database refuses. They
// are set aside at once and named by `peyk audit`, so that one of them neither ends the process nor holds up its lane. Their
// messages end with their order: validity plus grace, 112, credit back.
import { Unreadable } from '../../content.ts';
import { type Db, sqlState } from '../../db/db.ts';
import type { Log } from '../../log.ts';
import { type Loop, startLoop } from '../../loop.ts';
import { type Mark, quarantineChunk } from '../../orders/claim.ts';

const lookEveryMs = 30_000;
/** SQLSTATE classes that blame the data and not the server: data exception, constraint, raised by a function. */
const dataClasses = new Set(['22', '23', 'P0']);

/** Whether trying again can only fail again. */
export function isPoison(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError || error instanceof Unreadable) return true;
  return dataClasses.has(sqlState(error).slice(0, 2));
}

export class Quarantine {
  readonly #db: Db;
  readonly #log: Log;
  readonly #onStored: (chunk: number) => void;
  readonly #holdMs: number;
  readonly #waiting: Mark[] = [];
  readonly #loop: Loop;

  constructor(db: Db, log: Log, holdMs: number, onStored: (chunk: number) => void) {
    this.#db = db;
    this.#log = log;
    this.#onStored = onStored;
    this.#holdMs = holdMs;
    this.#loop = startLoop('quarantine', log, () => this.#store());
  }

  /** `mark.mark`: what lies before it was written. Kept until it is stored: the lease stays ours so long. */
  add(mark: Mark, orderId: number, error: Error): void {
    this.#log.error(
      { chunk: mark.chunkId, order: orderId, error: error.message },
      'chunk set aside: it cannot be sent',
    );
    this.#waiting.push(mark);
    this.#loop.wake();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #store(): Promise<number> {
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      await quarantineChunk(this.#db, next, this.#holdMs);
      this.#waiting.shift();
      this.#onStored(next.chunkId);
    }
    return lookEveryMs;
  }
}
