// A dispatcher of the stress test: it claims, writes and stores like the real one, through the same database functions, and dies between any
// two of them. Sometimes it is only paused: its last batch arrives after others have declared it dead.
import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '../../src/db/db.ts';
import { type ClaimedChunk, claimChunks, moveMarks } from '../../src/queue/claim.ts';
import { registerDispatcher, releaseLeases } from '../../src/queue/dispatcher-lease.ts';
import { FlushBatch, flush } from '../../src/receipts/flush.ts';
import { ReceiptColumns, storeReceipts } from '../../src/receipts/inbox-rows.ts';
import { RecentSubmits } from '../../src/receipts/recent-submits.ts';
import { monotonicMs } from '../../src/time/clock.ts';
import { carrierOf, type Wire } from './stress-wire.ts';

export type StressParts = {
  db: Db;
  wire: Wire;
  accounts: number[];
  random: () => number;
  holdMs: number;
  /** Number of parts of each message: the second text is long. */
  partsOf: (facts: { text: string }) => number;
};

const [retryMs, markedAtOnce, claimedAtOnce, receiptsAtOnce] = [150, 25, 200, 500];

class Died extends Error {}

export class StressDispatcher {
  readonly #parts: StressParts;
  readonly #recent = new RecentSubmits();
  readonly #diesAtMs: number;
  #batch = new FlushBatch();
  #flush = 0;
  #row = 0;
  #id = 0;

  constructor(parts: StressParts, livesMs: number) {
    this.#parts = parts;
    this.#diesAtMs = performance.now() + livesMs;
  }

  /** Works until it dies; then another dispatcher gives back its leases. */
  async run(): Promise<void> {
    const { db, random, holdMs } = this.#parts;
    this.#id = await registerDispatcher(db, 'stress');
    try {
      for (;;) await this.#round();
    } catch (error) {
      if (!(error instanceof Died)) throw error;
    }
    await pause(random() * holdMs);
    await releaseLeases(db, this.#id, holdMs);
    if (random() < 0.3) await this.#wake();
  }

  /** Resumes: it still stores answers of carriers, but its chunks belong to others. */
  async #wake(): Promise<void> {
    this.#batch.later.length = 0;
    this.#batch.done.chunks.length = 0;
    this.#batch.done.tokens.length = 0;
    await flush(this.#parts.db, this.#id, ++this.#flush, this.#batch);
  }

  #mayDie(): void {
    if (performance.now() > this.#diesAtMs && this.#parts.random() < 0.3) throw new Died();
  }

  async #round(): Promise<void> {
    const { random } = this.#parts;
    for (const lane of [0, 1] as const) await this.#send(lane);
    if (random() < 0.5) await this.#takeReceipts();
    this.#mayDie();
    await this.#store();
    await this.#takeReceipts();
    this.#mayDie();
    await pause(5);
  }

  async #send(lane: 0 | 1): Promise<void> {
    const { db, accounts } = this.#parts;
    const asked = accounts.map(id => ({ id, mark: markedAtOnce }));
    const claimed = await claimChunks(db, this.#id, lane, asked, { messages: claimedAtOnce, room: claimedAtOnce });
    for (const chunk of claimed) if (chunk.chunkId !== null) await this.#write(chunk, lane);
  }

  async #write(chunk: ClaimedChunk, lane: 0 | 1): Promise<void> {
    const { db, random } = this.#parts;
    const { chunkId, token, firstMessageId } = chunk;
    let { mark } = chunk;
    const places = chunk.places ?? (chunk.ids ?? []).map(id => id - firstMessageId + 1);
    for (const [i, place] of places.entries()) {
      if (place > mark) {
        mark = places[Math.min(places.length - 1, i + Math.floor(random() * markedAtOnce))]!;
        const ours = await moveMarks(db, [{ chunkId: chunkId!, token, mark }]);
        if (!ours.has(chunkId!)) return;
      }
      this.#writeOne(chunk, i, lane);
      this.#mayDie();
    }
    this.#batch.done.chunks.push(chunkId!);
    this.#batch.done.tokens.push(token);
  }

  #writeOne(chunk: ClaimedChunk, i: number, lane: 0 | 1): void {
    const { wire, random, holdMs, partsOf } = this.#parts;
    const [message, number] = [chunk.ids![i]!, chunk.numbers![i]!];
    const order = chunk.orders?.[i] ?? chunk.facts![0]!.id;
    const parts = partsOf(chunk.facts!.find(one => one.id === order)!);
    const carrier = carrierOf(number);
    const later = { account: chunk.accountId, lane, ids: [message], attempt: chunk.attempt, single: parts === 1 };
    const refused = chunk.attempt < 2 && random() < 0.02;
    if (refused)
      return void this.#batch.later.push({
        ...later,
        ...{ kind: 1, attempt: chunk.attempt + 1, delay_ms: retryMs, carrier: null, written: [null] },
      });
    const written = [monotonicMs()];
    const answered = random() > 0.03;
    const ids = wire.write({ message, number, parts }, answered);
    if (!answered) return void this.#batch.later.push({ ...later, kind: 2, delay_ms: holdMs, carrier, written });
    for (const [part, id] of ids.entries()) {
      if (parts === 1) this.#recent.add(carrier, id, message, number);
      this.#batch.addSubmit(carrier, id, message, part + 1, parts);
    }
  }

  /** Acknowledges receipts once they are in the inbox; before that the carrier sends them again. */
  async #takeReceipts(): Promise<void> {
    const { db, wire } = this.#parts;
    const taken = wire.take(receiptsAtOnce);
    if (taken.length === 0) return;
    const columns = new ReceiptColumns();
    for (const { carrier, id, status, number } of taken) {
      columns.carriers.push(carrier);
      columns.ids.push(id);
      columns.statuses.push(status);
      columns.reasons.push(status === 111 ? 0 : 10);
      columns.numbers.push(number);
      columns.messages.push(this.#recent.messageOf(carrier, id, number));
    }
    try {
      this.#mayDie();
    } catch (error) {
      wire.putBack(taken);
      throw error;
    }
    await storeReceipts(db, this.#id, ++this.#row, columns);
    this.#batch.inbox.owner = this.#id;
    this.#batch.inbox.nos.push(this.#row);
  }

  /** Sometimes stores a batch twice, as after a lost answer. */
  async #store(): Promise<void> {
    const { db, random } = this.#parts;
    const batch = this.#batch;
    if (batch.size === 0) return;
    const no = ++this.#flush;
    for (let times = random() < 0.1 ? 2 : 1; times > 0; times--) await flush(db, this.#id, no, batch);
    this.#batch = new FlushBatch();
  }
}
