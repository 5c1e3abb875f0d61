// Gathers answers of carriers and stores them in batches, one at a time, and settles receipts of the inbox. While one batch is being
// stored the next one fills, so batches grow with the load. A batch that could not be stored is retried unchanged, under the same
// number; a batch that the database refuses is halved (db/poison).

import type { Db } from '../db/db.ts';
import { setAside, storeOrHalve } from '../db/poison.ts';
import type { Log } from '../log.ts';
import { settleSeconds } from '../metrics/metrics.ts';
import { monotonicMs } from '../time/clock.ts';
import { FlushBatch, type Flushed, flush } from './flush.ts';
import { halveRow } from './inbox-rows.ts';
import { RecentSubmits } from './recent-submits.ts';

const gatherMs = 5;
const gatherMostMs = 50;
/** A batch of this size, times the number of dispatchers, is stored at once: a larger one would cost as much per message. */
const fullBatch = 2_500;
/** Above this the dispatcher stops writing and reading until a batch is stored. */
export const backlogMax = 10_000;

/** Receipts of the inbox settled by one batch. */
const settleMax = 4_000;
/** Above this no receipt is acknowledged before others are settled. */
export const unsettledMax = 50_000;

type InboxRow = { owner: number; no: number; receipts: number };

/**
 * How long answers are gathered: as long as storing the last batch took, so that a busy machine stores fewer and larger batches (500
 * answers → 1,000: 63 → 57 µs a message). Each further dispatcher adds twice that time: two nodes have half of the answers each, and
 * stored three times as many batches as one node.
 */
export function gatherFor(others: number, tookMs: number): number {
  return Math.min(Math.max(gatherMs, (1 + 2 * others) * tookMs), gatherMostMs);
}

export class Recorder {
  batch = new FlushBatch();
  /** Recent submits of this dispatcher. */
  readonly recent = new RecentSubmits();
  /** The last stored batch: its dispatcher and its number. */
  stored = { owner: 0, flush: 0 };
  readonly #db: Db;
  readonly #log: Log;
  readonly #owner: () => number;
  readonly #onStored: (stored: Flushed, batch: FlushBatch) => void;
  readonly #others: () => number;
  /** Receipts that are acknowledged and not settled. */
  unsettled = 0;
  #rows: InboxRow[] = [];
  #storing: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #soon: NodeJS.Immediate | null = null;
  #flush = 0;
  #flushOwner = 0;
  #inFlight = 0;
  /** How long the last batch took to be stored. */
  #tookMs = 0;
  /** When the first item of the batch was added. */
  #sinceMs: number | null = null;

  constructor(
    db: Db,
    log: Log,
    owner: () => number,
    onStored: (stored: Flushed, batch: FlushBatch) => void,
    /** How many dispatchers there are besides ours. */
    others: () => number = () => 0,
  ) {
    this.#db = db;
    this.#log = log;
    this.#owner = owner;
    this.#onStored = onStored;
    this.#others = others;
  }

  get backlog(): number {
    return this.batch.size + this.#inFlight;
  }

  /** Call after adding to `batch`. */
  added(): void {
    this.#sinceMs ??= monotonicMs();
    this.#next();
  }

  /** The carrier accepted a part of a message to this number, under this id. */
  submitted(carrier: number, id: string, message: number, number: number, part: number, parts: number): void {
    if (parts === 1) this.recent.add(carrier, id, message, number);
    this.batch.addSubmit(carrier, id, message, part, parts);
    this.added();
  }

  /** Plans to settle the receipts of an inbox row. */
  settle(row: InboxRow): void {
    this.#rows.push(row);
    this.unsettled += row.receipts;
    this.added();
  }

  /** Our leases are lost: answers of carriers are still stored, but the chunks belong to other dispatchers. */
  disown(): void {
    this.batch.later.length = 0;
    this.batch.done.chunks.length = 0;
    this.batch.done.tokens.length = 0;
  }

  /** Resolves when everything added so far is stored. */
  async drain(): Promise<void> {
    while (this.#hasWork || this.#storing) {
      this.#start();
      await this.#storing;
    }
  }

  /** Plans the next batch; a full one is stored at once. */
  #next(): void {
    if (this.#storing || this.#soon || !this.#hasWork) return;
    if (this.batch.size + this.unsettled >= fullBatch * (1 + this.#others()))
      this.#soon = setImmediate(() => this.#start());
    else this.#timer ??= setTimeout(() => this.#start(), gatherFor(this.#others(), this.#tookMs));
  }

  get #hasWork(): boolean {
    return this.batch.size > 0 || this.#rows.length > 0;
  }

  #start(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#soon) clearImmediate(this.#soon);
    this.#soon = null;
    if (this.#storing || !this.#hasWork) return;
    const { batch } = this;
    this.#takeRows(batch);
    this.batch = new FlushBatch();
    this.#inFlight = batch.size;
    const beganMs = monotonicMs();
    const sinceMs = this.#sinceMs ?? beganMs;
    this.#sinceMs = null;
    this.#storing = this.#store(batch).then(stored => {
      this.#storing = null;
      this.#inFlight = 0;
      this.#tookMs = monotonicMs() - beganMs;
      settleSeconds.observe((monotonicMs() - sinceMs) / 1_000);
      this.unsettled -= batch.inbox.receipts;
      this.#onStored(stored, batch);
      this.#next();
    });
  }

  /** Takes rows of one identity of ours, and so few that answers in the same batch wait for some milliseconds only. */
  #takeRows({ inbox }: FlushBatch): void {
    inbox.owner = this.#rows[0]?.owner ?? 0;
    while (this.#rows[0]?.owner === inbox.owner && inbox.receipts < settleMax) {
      const row = this.#rows.shift()!;
      inbox.nos.push(row.no);
      inbox.receipts += row.receipts;
    }
  }

  async #store(batch: FlushBatch): Promise<Flushed> {
    const db = this.#db;
    const numbered = new Map<FlushBatch, { owner: number; no: number }>();
    const pieces = await storeOrHalve(this.#log, batch, {
      what: 'answer',
      store: async piece => {
        if (!numbered.has(piece)) numbered.set(piece, this.#number());
        const { owner, no } = numbered.get(piece)!;
        const stored = await flush(db, owner, no, piece);
        this.stored = { owner, flush: no };
        return stored;
      },
      halve: piece => piece.halves(),
      giveUp: async (item, error) => {
        const [no] = item.inbox.nos;
        if (no !== undefined) await halveRow(db, this.#log, { owner: item.inbox.owner, no }, error);
        else await setAside(db, 'answer', item, error);
      },
    });
    const sum = (of: (one: Flushed) => number) => pieces.reduce((all, one) => all + of(one), 0);
    return {
      settled: sum(one => one.settled),
      unmatched: sum(one => one.unmatched),
      mismatched: sum(one => one.mismatched),
    };
  }

  /** Numbers count per owner: a new identity begins at 1. */
  #number(): { owner: number; no: number } {
    const owner = this.#owner();
    if (owner !== this.#flushOwner) this.#flush = 0;
    this.#flushOwner = owner;
    return { owner, no: ++this.#flush };
  }
}
