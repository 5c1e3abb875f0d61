// Gathers what carriers said and stores it in batches, one at a time, with the receipts of the inbox: while one is being stored
// the next one fills, so a batch is small when little happens and large when much does. What waits for storage runs after the commit.
// A batch that could not be stored is tried again unchanged, under the same number.
import { backoffMs } from '../../backoff.ts';
import { monotonicMs, now } from '../../clock.ts';
import type { Db } from '../../db/db.ts';
import type { Log } from '../../log.ts';
import { settleSeconds } from '../../metrics.ts';
import { RecordBatch, type Recorded, storeRecords } from '../../orders/record.ts';
import { type FreshRow, FreshSubmits, type Told } from './fresh-submits.ts';

const gatherMs = 5;
const gatherMostMs = 50;
/** So much is stored without waiting for more, of each dispatcher there is: above it a batch costs no less a message when it is larger. */
const amplySized = 2_500;
/** Above this the dispatcher writes no more and reads no more until a batch is stored. */
export const backlogMax = 10_000;

/** Receipts of the inbox settled by one batch. */
const settleMax = 4_000;
/** Above this no receipt is acknowledged until some are settled. */
export const unsettledMax = 50_000;

export type InboxRow = { owner: number; no: number; receipts: number; told: Told; onSettled?: () => void };

/**
 * How long answers are gathered: as long as the last batch took to be stored, so that a machine with much to do stores fewer and larger
 * ones (500 a batch → 1,000: 63 → 57 µs a message). Beside others for as long as they take to store theirs, and once more: with half of the carriers'
 * answers each, two nodes stored three times as many batches as one does.
 */
export function gatherFor(others: number, tookMs: number): number {
  return Math.min(Math.max(gatherMs, (1 + 2 * others) * tookMs), gatherMostMs);
}

export class Recorder {
  batch = new RecordBatch();
  /** The number of the last batch that was stored, and whose it was. */
  stored = { owner: 0, flush: 0 };
  readonly #db: Db;
  readonly #log: Log;
  readonly #owner: () => number;
  readonly #closing: { afterMs: number; slackMs: number };
  readonly #onStored: (stored: Recorded, batch: RecordBatch) => void;
  readonly #others: () => number;
  /** Receipts that are acknowledged and not settled. */
  unsettled = 0;
  readonly #fresh = new FreshSubmits();
  #ripening: NodeJS.Timeout | null = null;
  #rows: InboxRow[] = [];
  #afterStored: (() => void)[] = [];
  #storing: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #soon: NodeJS.Immediate | null = null;
  #flush = 0;
  #flushOwner = 0;
  #inFlight = 0;
  /** How long the last batch took to be stored. */
  #tookMs = 0;
  /** When the first of what is in the batch came. */
  #sinceMs: number | null = null;

  constructor(
    db: Db,
    log: Log,
    owner: () => number,
    closing: { afterMs: number; slackMs: number },
    onStored: (stored: Recorded, batch: RecordBatch) => void,
    /** How many dispatchers there are besides ours. */
    others: () => number = () => 0,
  ) {
    this.#db = db;
    this.#log = log;
    this.#owner = owner;
    this.#closing = closing;
    this.#onStored = onStored;
    this.#others = others;
  }

  get backlog(): number {
    return this.batch.size + this.#inFlight;
  }

  /** Call after adding to `batch`; `afterStored` runs once it is committed. */
  added(afterStored?: () => void): void {
    this.#sinceMs ??= monotonicMs();
    if (afterStored) this.#afterStored.push(afterStored);
    this.#next();
  }

  /** The carrier took a part. `isQuick`: its receipt may well come within seconds, over one of our links. */
  submitted(
    carrier: number,
    id: string,
    account: number,
    message: number,
    part: number,
    parts: number,
    isQuick: boolean,
  ): void {
    // With more than one other dispatcher most receipts come to somebody else.
    if (
      !isQuick ||
      parts > 1 ||
      this.#others() > 1 ||
      !this.#fresh.add(this.batch.fresh, carrier, id, account, message)
    )
      this.batch.enter(carrier, id, account, message, part, parts);
    this.added();
  }

  /** Its submit is of this dispatcher and was not reported yet. */
  remembers(carrier: number, id: string): boolean {
    return this.#fresh.has(carrier, id);
  }

  /** Plans the next batch: at once where somebody waits for it or there is enough of it. */
  #next(): void {
    if (this.#storing || this.#soon || !this.#hasWork) return;
    if (this.#afterStored.length > 0 || this.batch.size + this.unsettled >= amplySized * (1 + this.#others()))
      this.#soon = setImmediate(() => this.#start());
    else this.#timer ??= setTimeout(() => this.#start(), gatherFor(this.#others(), this.#tookMs));
  }

  /** Receipts that wait in a row of the inbox are to be settled. */
  settle(row: InboxRow): void {
    this.#rows.push(row);
    this.unsettled += row.receipts;
    this.added();
  }

  /** Our leases are gone: what carriers said is still told, but what becomes of the chunks is for others to decide. */
  disown(): void {
    this.#fresh.forget(this.batch, false);
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

  #start(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#soon) clearImmediate(this.#soon);
    this.#soon = null;
    if (this.#storing || !this.#hasWork) return;
    const { batch } = this;
    const taken = this.#takeRows(batch);
    // Rows of an identity that we have no more may be settled by others: what they hold is not known for certain.
    const known = batch.inbox.owner === this.#owner() ? taken.map(one => one.told) : [];
    batch.fresh.told = batch.inbox.receipts + batch.receipts.ids.length;
    const row = this.#fresh.take(batch.fresh, known);
    const after = this.#afterStored;
    this.batch = new RecordBatch();
    this.#afterStored = [];
    this.#inFlight = batch.size;
    const beganMs = monotonicMs();
    const sinceMs = this.#sinceMs ?? beganMs;
    this.#sinceMs = null;
    this.#storing = this.#store(batch, row).then(stored => {
      this.#storing = null;
      this.#inFlight = 0;
      this.#tookMs = monotonicMs() - beganMs;
      settleSeconds.observe((monotonicMs() - sinceMs) / 1_000);
      this.unsettled -= batch.inbox.receipts;
      for (const one of taken) one.onSettled?.();
      this.#fresh.stored(stored, this.batch);
      this.#watchFresh();
      for (const run of after) run();
      this.#onStored(stored, batch);
      this.#next();
    });
  }

  get #hasWork(): boolean {
    return this.batch.size > 0 || this.#rows.length > 0 || this.#fresh.ripeInMs === 0;
  }

  #watchFresh(): void {
    const ripeInMs = this.#fresh.ripeInMs;
    if (ripeInMs === null || this.#ripening) return;
    this.#ripening = setTimeout(() => {
      this.#ripening = null;
      this.#next();
      this.#watchFresh();
    }, ripeInMs + 1).unref();
  }

  /** Of one identity of ours at a time, and no more than keeps the answers beside them waiting for some milliseconds. */
  #takeRows({ inbox }: RecordBatch): InboxRow[] {
    const taken: InboxRow[] = [];
    inbox.owner = this.#rows[0]?.owner ?? 0;
    while (this.#rows[0]?.owner === inbox.owner && inbox.receipts < settleMax) {
      const row = this.#rows.shift()!;
      taken.push(row);
      inbox.receipts += row.receipts;
    }
    // As take_inbox_1 gives them.
    taken.sort((a, b) => a.no - b.no);
    inbox.nos.push(...taken.map(one => one.no));
    return taken;
  }

  async #store(batch: RecordBatch, row: FreshRow | null): Promise<Recorded> {
    // Numbers count per owner: a fresh identity begins again at 1.
    const owner = this.#owner();
    if (owner !== this.#flushOwner) this.#flush = 0;
    this.#flushOwner = owner;
    const flush = ++this.#flush;
    if (row) row.no = flush;
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
