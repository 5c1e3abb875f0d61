// Stores receipts in a small commit of their own, acknowledges them, and leaves their settling to larger batches of the recorder.
// Receipts gather while commits run, without a timer. A row that could not be stored is retried unchanged, under the same number.
import type { Db } from '../db/db.ts';
import { setAside, storeOrHalve } from '../db/poison.ts';
import type { Log } from '../log.ts';
import { ReceiptColumns, storeReceipts } from './inbox-rows.ts';
import type { Recorder } from './recorder.ts';

/** Concurrent commits share a write to disk. Their rows are settled in the order of arrival. */
export const rowsMax = 2;

type Row = { owner: number; no: number; receipts: ReceiptColumns };

export class Inbox {
  gathered = new ReceiptColumns();
  readonly #db: Db;
  readonly #log: Log;
  readonly #owner: () => number;
  readonly #recorder: Recorder;
  #afterStored: (() => void)[] = [];
  /** Commits that run, oldest first; each resolves when its row and all earlier rows are stored. */
  readonly #rows: Promise<void>[] = [];
  #soon: NodeJS.Immediate | null = null;
  #inFlight = 0;
  #no = 0;

  /** `owner`: the dispatcher of the rows. Another one settles them when no dispatcher has this id any more. */
  constructor(db: Db, log: Log, owner: () => number, recorder: Recorder) {
    this.#db = db;
    this.#log = log;
    this.#owner = owner;
    this.#recorder = recorder;
  }

  /** Receipts that are only in memory. */
  get waiting(): number {
    return this.gathered.ids.length + this.#inFlight;
  }

  /** Adds the message of the receipt if a recent submit has its id and number. `afterStored` runs after the commit. */
  add(
    carrier: number,
    id: string,
    end: { status: number; reason: number },
    number: number,
    afterStored: () => void,
  ): void {
    const { gathered } = this;
    gathered.carriers.push(carrier);
    gathered.ids.push(id);
    gathered.statuses.push(end.status);
    gathered.reasons.push(end.reason);
    gathered.numbers.push(number);
    gathered.messages.push(this.#recorder.recent.messageOf(carrier, id, number));
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
    if (this.#rows.length === rowsMax || this.gathered.ids.length === 0) return;
    const after = this.#afterStored;
    const { gathered } = this;
    this.gathered = new ReceiptColumns();
    this.#afterStored = [];
    this.#inFlight += gathered.ids.length;
    const before = this.#rows.at(-1);
    const stored = this.#store(gathered).then(rows => {
      for (const run of after) run();
      return rows;
    });
    const done = Promise.all([stored, before]).then(([rows]) => {
      this.#rows.shift();
      this.#inFlight -= gathered.ids.length;
      for (const { owner, no, receipts } of rows) this.#recorder.settle({ owner, no, receipts: receipts.ids.length });
      this.#start();
    });
    this.#rows.push(done);
  }

  #store(receipts: ReceiptColumns): Promise<Row[]> {
    const rows = new Map<ReceiptColumns, Row>();
    return storeOrHalve(this.#log, receipts, {
      what: 'receipt',
      store: async piece => {
        if (!rows.has(piece)) rows.set(piece, { owner: this.#owner(), no: ++this.#no, receipts: piece });
        const row = rows.get(piece)!;
        await storeReceipts(this.#db, row.owner, row.no, piece);
        return row;
      },
      halve: piece => (piece.ids.length > 1 ? piece.halves() : null),
      giveUp: (piece, error) => setAside(this.#db, 'receipt', piece, error),
    });
  }
}
