// A queue of orders that serves accounts in turns, with bounds on how many wait, how long, and how many are stored at a time.
import { monotonicMs } from '../time/clock.ts';
import { namesOf } from './accept-columns.ts';
import type { AcceptAnswer, AcceptRequest } from './accept-request.ts';
import { FairWaits } from './fair-waits.ts';

const waitingMax = 5_000;
const patienceMs = 1;
// Weight of each new measurement in the expected time of an order.
const newShare = 0.2;

export type Waiting = { request: AcceptRequest; resolve(answer: AcceptAnswer): void; reject(error: unknown): void };

/** Thrown when too many orders wait, or for too long: answered 503. */
export class Overloaded extends Error {
  constructor(message: string) {
    // Without its stack, which nobody reads and which would be a fifth of the cost of a refusal.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Batches at a time, orders and recipients of a batch, and how long an order may be expected to wait. */
export type LineBounds = { atOnce: number; together: number; recipients: number; waitMaxMs: number };

/**
 * A caller that was just answered will most likely send the next order at once. A batch waits for those, a millisecond at most,
 * because its fixed cost (0.25 ms in the database and the round trip) equals that of a dozen more orders in it.
 */
export class OrderLine {
  readonly #waiting = new FairWaits<Waiting>();
  readonly #bounds: LineBounds;
  readonly #work: (batch: Waiting[]) => Promise<void>;
  #running = 0;
  #planned: NodeJS.Immediate | null = null;
  #expected = 0;
  #eachMs = 0;
  #patience: NodeJS.Timeout | null = null;

  constructor(bounds: LineBounds, work: (batch: Waiting[]) => Promise<void>) {
    this.#bounds = bounds;
    this.#work = work;
  }

  add(request: AcceptRequest): Promise<AcceptAnswer> {
    const { accountId } = request;
    const ahead = this.#waiting.ahead(accountId);
    if (ahead >= waitingMax) return Promise.reject(new Overloaded('too many orders are waiting'));
    // The next two batches are always accepted: the expectation may be out of date.
    if (ahead >= 2 * this.#bounds.together * this.#bounds.atOnce && ahead * this.#eachMs > this.#bounds.waitMaxMs)
      return Promise.reject(new Overloaded('it would wait too long'));
    return new Promise((resolve, reject) => {
      this.#waiting.add(accountId, { request, resolve, reject });
      this.#plan();
    });
  }

  // Starts in the next turn of the event loop, so that requests read in this one travel together. A whole batch starts at once: with
  // thousands of callers a turn takes a second and more, and one batch for each turn would store hardly anything.
  #plan(): void {
    if (this.#running >= this.#bounds.atOnce || this.#waiting.size === 0) return;
    if (this.#bounds.together > 1 && this.#waiting.size >= this.#bounds.together) return this.#start();
    if (this.#planned) return;
    if (this.#waiting.size < this.#expected) {
      this.#patience ??= setTimeout(() => {
        this.#expected = 0;
        this.#patience = null;
        this.#plan();
      }, patienceMs);
      return;
    }
    this.#planned = setImmediate(() => {
      this.#planned = null;
      // A whole batch may have started meanwhile.
      if (this.#running < this.#bounds.atOnce && this.#waiting.size > 0) this.#start();
    });
  }

  /** Of two orders with the same name the second waits for the next batch, because it is checked against what is stored. */
  #next(): Waiting[] {
    const names = new Set<string>();
    let recipients = 0;
    const batch: Waiting[] = [];
    const left: Waiting[] = [];
    for (const one of this.#waiting.take(this.#bounds.together)) {
      const own = namesOf(one.request);
      const count = one.request.recipients.numbers.length;
      const fits = batch.length === 0 || recipients + count <= this.#bounds.recipients;
      if (!fits || own.some(name => names.has(name))) left.push(one);
      else {
        for (const name of own) names.add(name);
        recipients += count;
        batch.push(one);
      }
    }
    for (const one of left.reverse()) this.#waiting.add(one.request.accountId, one, true);
    return batch;
  }

  #start(): void {
    if (this.#patience) clearTimeout(this.#patience);
    this.#patience = null;
    const batch = this.#next();
    this.#running++;
    const beganMs = monotonicMs();
    void this.#work(batch).finally(() => {
      this.#running--;
      const eachMs = (monotonicMs() - beganMs) / batch.length / this.#bounds.atOnce;
      this.#eachMs += (eachMs - this.#eachMs) * newShare;
      this.#expected =
        this.#bounds.together === 1 ? 0 : Math.min(this.#bounds.together, batch.length + this.#waiting.size);
      this.#plan();
    });
    this.#plan();
  }
}
