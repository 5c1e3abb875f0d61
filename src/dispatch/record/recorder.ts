// Gathers what carriers said and stores it in batches, one at a time: while one is being stored the next one fills, so a
// batch is small when little happens and large when much does. What waits for storage (a receipt's acknowledgement) runs
// after the commit. A batch that could not be stored is tried again unchanged, under the same number.
import { backoffMs } from '../../backoff.ts';
import { monotonicMs, now } from '../../clock.ts';
import type { Db } from '../../db/db.ts';
import type { Log } from '../../log.ts';
import { settleSeconds } from '../../metrics.ts';
import { RecordBatch, storeRecords } from '../../orders/record.ts';

const gatherMs = 5;
// Carriers send only so many receipts before they wait for an acknowledgement (100 is usual): waiting for more of them
// would wait for nothing, and cap the rate at 100 per pause.
/** Above this the dispatcher writes no more and reads no more until a batch is stored. */
export const backlogMax = 10_000;

export type Stored = { settled: number; unmatched: number };

export class Recorder {
  batch = new RecordBatch();
  /** The number of the last batch that was stored, and whose it was. */
  stored = { owner: 0, flush: 0 };
  readonly #db: Db;
  readonly #log: Log;
  readonly #owner: () => number;
  readonly #closing: { afterMs: number; slackMs: number };
  readonly #onStored: (stored: Stored, batch: RecordBatch) => void;
  #afterStored: (() => void)[] = [];
  #storing: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #soon: NodeJS.Immediate | null = null;
  #flush = 0;
  #flushOwner = 0;
  #inFlight = 0;
  /** When the first of what is in the batch came. */
  #sinceMs: number | null = null;

  constructor(
    db: Db,
    log: Log,
    owner: () => number,
    closing: { afterMs: number; slackMs: number },
    onStored: (stored: Stored, batch: RecordBatch) => void,
  ) {
    this.#db = db;
    this.#log = log;
    this.#owner = owner;
    this.#closing = closing;
    this.#onStored = onStored;
  }

  get backlog(): number {
    return this.batch.size + this.#inFlight;
  }

  /** Call after adding to `batch`; `afterStored` runs once it is committed. */
  added(afterStored?: () => void): void {
    this.#sinceMs ??= monotonicMs();
    if (afterStored) {
      this.#afterStored.push(afterStored);
      if (!this.#storing && !this.#soon) this.#soon = setImmediate(() => this.#start());
    }
    if (this.#storing || this.#timer || this.#soon) return;
    this.#timer = setTimeout(() => this.#start(), gatherMs);
  }

  /** Our leases are gone: what carriers said is still told, but what becomes of the chunks is for others to decide. */
  disown(): void {
    this.batch.later.length = 0;
    this.batch.done.chunks.length = 0;
    this.batch.done.tokens.length = 0;
  }

  /** Resolves when everything added so far is stored. */
  async drain(): Promise<void> {
    while (this.batch.size > 0 || this.#storing) {
      this.#start();
      await this.#storing;
    }
  }

  #start(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#soon) clearImmediate(this.#soon);
    this.#soon = null;
    if (this.#storing || this.batch.size === 0) return;
    const { batch } = this;
    const after = this.#afterStored;
    this.batch = new RecordBatch();
    this.#afterStored = [];
    this.#inFlight = batch.size;
    const sinceMs = this.#sinceMs ?? monotonicMs();
    this.#sinceMs = null;
    this.#storing = this.#store(batch).then(stored => {
      this.#storing = null;
      this.#inFlight = 0;
      settleSeconds.observe((monotonicMs() - sinceMs) / 1_000);
      for (const run of after) run();
      this.#onStored(stored, batch);
      if (this.batch.size > 0) this.#start();
    });
  }

  async #store(batch: RecordBatch): Promise<Stored> {
    // Numbers count per owner: a fresh identity begins again at 1.
    const owner = this.#owner();
    if (owner !== this.#flushOwner) this.#flush = 0;
    this.#flushOwner = owner;
    const flush = ++this.#flush;
    for (let failures = 0; ; failures++) {
      try {
        const after = new Date(now().getTime() + this.#closing.afterMs);
        const stored = await storeRecords(this.#db, owner, flush, batch, { after, slackMs: this.#closing.slackMs });
        this.stored = { owner, flush };
        return stored;
      } catch (error) {
        this.#log.warn({ error: (error as Error).message, size: batch.size, failures }, 'answers not stored yet');
        await new Promise(resolve => setTimeout(resolve, backoffMs(failures, 50, 2_000)));
      }
    }
  }
}
