// Receipts wait for a small commit of their own, then they are acknowledged; what follows from them is recorded behind, in larger
// batches. While commits are under way the next receipts gather: no timer. A row that could not be stored is tried again
// unchanged, under the same number.
import type { Db } from '../db/db.ts';
import { setAside, storeOrHalve } from '../db/poison.ts';
import type { Log } from '../log.ts';
import { ReceiptColumns, storeReceipts } from './inbox-rows.ts';
import type { Recorder } from './recorder.ts';

/** Commits that are under way at the same time reach the disk together; settled they are in the order in which they came. */
export const rowsMax = 2;

type Row = { owner: number; no: number; told: ReceiptColumns };

export class Inbox {
  told = new ReceiptColumns();
  readonly #db: Db;
  readonly #log: Log;
  readonly #owner: () => number;
  readonly #recorder: Recorder;
  #afterStored: (() => void)[] = [];
  /** Those under way, oldest first; each is done when it is stored and all before it are. */
  readonly #rows: Promise<void>[] = [];
  #soon: NodeJS.Immediate | null = null;
  #inFlight = 0;
  #no = 0;

  /** `owner`: whose rows these are; others settle them when no dispatcher has this number. */
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

  /** Whom it is about is noted with it, if one of our recent submits has its id and number. `afterStored` runs once it is committed. */
  add(
    carrier: number,
    id: string,
    end: { status: number; reason: number },
    number: number,
    afterStored: () => void,
  ): void {
    const { told } = this;
    told.carriers.push(carrier);
    told.ids.push(id);
    told.statuses.push(end.status);
    told.reasons.push(end.reason);
    told.numbers.push(number);
    told.messages.push(this.#recorder.recent.messageOf(carrier, id, number));
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
    const after = this.#afterStored;
    const { told } = this;
    this.told = new ReceiptColumns();
    this.#afterStored = [];
    this.#inFlight += told.ids.length;
    const before = this.#rows.at(-1);
    const stored = this.#store(told).then(rows => {
      for (const run of after) run();
      return rows;
    });
    const done = Promise.all([stored, before]).then(([rows]) => {
      this.#rows.shift();
      this.#inFlight -= told.ids.length;
      for (const { owner, no, told } of rows) this.#recorder.settle({ owner, no, receipts: told.ids.length });
      this.#start();
    });
    this.#rows.push(done);
  }

  #store(told: ReceiptColumns): Promise<Row[]> {
    const rows = new Map<ReceiptColumns, Row>();
    return storeOrHalve(this.#log, told, {
      what: 'receipt',
      store: async piece => {
        if (!rows.has(piece)) rows.set(piece, { owner: this.#owner(), no: ++this.#no, told: piece });
        const row = rows.get(piece)!;
        await storeReceipts(this.#db, row.owner, row.no, piece);
        return row;
      },
      halve: piece => (piece.ids.length > 1 ? piece.halves() : null),
      giveUp: (piece, error) => setAside(this.#db, 'receipt', piece, error),
    });
  }
}
