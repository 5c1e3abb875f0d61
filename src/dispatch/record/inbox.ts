// Receipts wait for a small commit of their own, then they are acknowledged; what follows from them is recorded behind, in larger
// batches. While commits are under way the next receipts gather: no timer. A row that could not be stored is tried again
// unchanged, under the same number.
import { backoffMs } from '../../backoff.ts';
import type { Db } from '../../db/db.ts';
import type { Log } from '../../log.ts';
import { ReceiptColumns, storeReceipts } from '../../orders/inbox.ts';
import type { InboxRow, Recorder } from './recorder.ts';

/** Commits that are under way at the same time reach the disk together; settled they are in the order in which they came. */
export const rowsMax = 2;

export class Inbox {
  told = new ReceiptColumns();
  readonly #db: Db;
  readonly #log: Log;
  readonly #owner: () => number;
  readonly #recorder: Recorder;
  #afterStored: (() => void)[] = [];
  /** The rows under way, oldest first; each is done when it is stored and all before it are. */
  readonly #rows: Promise<void>[] = [];
  #soon: NodeJS.Immediate | null = null;
  #inFlight = 0;
  #no = 0;

  constructor(db: Db, log: Log, owner: () => number, recorder: Recorder) {
    this.#db = db;
    this.#log = log;
    this.#owner = owner;
    this.#recorder = recorder;
  }

  /** Receipts that are nowhere but in memory. */
  get waiting(): number {
    return this.told.ids.length + this.#inFlight;
  }

  /** Call after adding to `told`; `afterStored` runs once it is committed. */
  added(afterStored: () => void): void {
    this.#afterStored.push(afterStored);
    if (this.#rows.length < rowsMax && !this.#soon) this.#soon = setImmediate(() => this.#start());
  }

  /** Resolves when everything added so far is stored. */
  async drain(): Promise<void> {
    while (this.waiting > 0) {
      this.#start();
      await this.#rows[0];
    }
  }

  #start(): void {
    if (this.#soon) clearImmediate(this.#soon);
    this.#soon = null;
    if (this.#rows.length === rowsMax || this.told.ids.length === 0) return;
    const { told } = this;
    const after = this.#afterStored;
    this.told = new ReceiptColumns();
    this.#afterStored = [];
    const row = { owner: this.#owner(), no: ++this.#no, receipts: told.ids.length, told };
    this.#inFlight += row.receipts;
    const before = this.#rows.at(-1);
    const stored = this.#store(row).then(() => {
      for (const run of after) run();
    });
    const done = Promise.all([stored, before]).then(() => {
      this.#rows.shift();
      this.#inFlight -= row.receipts;
      this.#recorder.settle(row);
      this.#start();
    });
    this.#rows.push(done);
  }

  async #store({ owner, no, told }: InboxRow): Promise<void> {
    for (let failures = 0; ; failures++) {
      try {
        return await storeReceipts(this.#db, owner, no, told);
      } catch (error) {
        this.#log.warn({ error: (error as Error).message, size: told.ids.length, failures }, 'receipts not stored yet');
        await new Promise(resolve => setTimeout(resolve, backoffMs(failures, 50, 2_000)));
      }
    }
  }
}
