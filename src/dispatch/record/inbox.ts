// Receipts wait for a small commit of their own, then they are acknowledged; what follows from them is recorded behind, in larger
// batches. While commits are under way the next receipts gather: no timer. A row that could not be stored is tried again
// unchanged, under the same number. Where there are two dispatchers, what this one has not submitted is put there for the other, which
// remembers its own (fresh-submits.ts).
import { backoffMs } from '../../backoff.ts';
import type { Db } from '../../db/db.ts';
import type { Log } from '../../log.ts';
import { handedReceipts, ReceiptColumns, storeBoth, storeReceipts } from '../../orders/inbox.ts';
import type { InboxRow, Recorder } from './recorder.ts';

/** Commits that are under way at the same time reach the disk together; settled they are in the order in which they came. */
export const rowsMax = 2;
/** Handed rows have numbers below 0, by whom they come from: so many of each. */
const handedPerOwner = 2 ** 30;
/** Numbers count down; rows that are stored at the same time may come so far out of turn. */
const outOfTurn = 256;
/** Every so many looks nothing is taken for granted. */
const looksPerWhole = 20;

type Row = InboxRow & { told: ReceiptColumns };

export class Inbox {
  told = new ReceiptColumns();
  readonly #db: Db;
  readonly #log: Log;
  readonly #owner: () => number;
  readonly #recorder: Recorder;
  readonly #peer: () => number | null;
  #afterStored: (() => void)[] = [];
  /** Those under way, oldest first; each is done when it is stored and all before it are. */
  readonly #rows: Promise<void>[] = [];
  /** Numbers of rows that were handed to us and are being settled. */
  readonly #handed = new Set<number>();
  #handedBelow = 0;
  #looks = 0;
  #soon: NodeJS.Immediate | null = null;
  #inFlight = 0;
  #no = 0;

  /** `peer`: the other dispatcher, if there are two. */
  constructor(db: Db, log: Log, owner: () => number, recorder: Recorder, peer: () => number | null = () => null) {
    this.#db = db;
    this.#log = log;
    this.#owner = owner;
    this.#recorder = recorder;
    this.#peer = peer;
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

  /** Receipts that came to the other dispatcher and were put here for us. */
  async takeHanded(): Promise<void> {
    const owner = this.#owner();
    const below = this.#looks++ % looksPerWhole === 0 ? 0 : this.#handedBelow;
    const found = await handedReceipts(this.#db, owner, this.#handed, below);
    if (owner !== this.#owner()) return;
    this.#handedBelow = Math.min(this.#handedBelow, (found[0]?.no ?? 0) + outOfTurn);
    for (const { no, told } of found) {
      if (!told) continue;
      this.#handed.add(no);
      this.#recorder.settle({ owner, no, receipts: told.ids.length, told, onSettled: () => this.#handed.delete(no) });
    }
  }

  #start(): void {
    if (this.#soon) clearImmediate(this.#soon);
    this.#soon = null;
    if (this.#rows.length === rowsMax || this.told.ids.length === 0) return;
    const after = this.#afterStored;
    const receipts = this.told.ids.length;
    const rows = this.#rowsOf(this.told);
    this.told = new ReceiptColumns();
    this.#afterStored = [];
    this.#inFlight += receipts;
    const before = this.#rows.at(-1);
    const stored = this.#store(rows).then(() => {
      for (const run of after) run();
    });
    const done = Promise.all([stored, before]).then(() => {
      this.#rows.shift();
      this.#inFlight -= receipts;
      for (const one of rows) if (one.no > 0) this.#recorder.settle(one);
      this.#start();
    });
    this.#rows.push(done);
  }

  /** Ours, and that of the other dispatcher. Not before what came with them was read: their answers may have, over another bind. */
  #rowsOf(told: ReceiptColumns): Row[] {
    const [owner, peer] = [this.#owner(), this.#peer()];
    const no = ++this.#no;
    if (peer === null) return [{ owner, no, receipts: told.ids.length, told }];
    const [mine, others] = told.parted((carrier, id) => this.#recorder.remembers(carrier, id));
    const rows: Row[] = [
      { owner, no, receipts: mine.ids.length, told: mine },
      { owner: peer, no: -(owner * handedPerOwner + no), receipts: others.ids.length, told: others },
    ];
    return rows.filter(one => one.receipts > 0);
  }

  async #store([one, other]: Row[]): Promise<void> {
    for (let failures = 0; ; failures++) {
      try {
        return other
          ? await storeBoth(this.#db, one!, other)
          : await storeReceipts(this.#db, one!.owner, one!.no, one!.told);
      } catch (error) {
        const size = one!.receipts + (other?.receipts ?? 0);
        this.#log.warn({ error: (error as Error).message, size, failures }, 'receipts not stored yet');
        await new Promise(resolve => setTimeout(resolve, backoffMs(failures, 50, 2_000)));
      }
    }
  }
}
