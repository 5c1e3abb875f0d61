// Orders of one kind on their way into the database, account by account in turns, with bounds on how many wait, how long, and
// how many are worked on.
import { monotonicMs } from '../time/clock.ts';
import { namesOf } from './accept-columns.ts';
import type { AcceptAnswer, AcceptRequest } from './accept-request.ts';
import { FairWaits } from './fair-waits.ts';

const waitingMax = 5_000;
const patienceMs = 1;
// Of each new figure in what an order is expected to take.
const newShare = 0.2;

export type Waiting = { request: AcceptRequest; resolve(answer: AcceptAnswer): void; reject(error: unknown): void };

/** Thrown when so many orders wait already, or so long, that another would only wait longer: answered 503. */
export class Overloaded extends Error {
  constructor(message: string) {
    // Without its stack: nobody reads it, and it would be a fifth of what it costs to refuse.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** How many are worked on at a time, how many in one go and with how many recipients, and how long one may be expected to wait. */
export type LineBounds = { atOnce: number; together: number; recipients: number; waitMaxMs: number };

/**
 * Orders that wait for their turn, worked on by at most `atOnce` at a time, up to `together` in one go. Whoever was just
 * answered will most likely ask again at once: a batch waits for those, a millisecond at most, because its fixed cost
 * (0.25 ms in the database, and the ways there and back) is that of a dozen more orders in it.
 */
export class OrderLine {
  readonly #waiting = new FairWaits<Waiting>();
  readonly #atOnce: number;
  readonly #together: number;
  readonly #recipients: number;
  readonly #waitMaxMs: number;
  readonly #work: (batch: Waiting[]) => Promise<void>;
  #running = 0;
  #planned: NodeJS.Immediate | null = null;
  #expected = 0;
  #eachMs = 0;
  #patience: NodeJS.Timeout | null = null;

  constructor({ atOnce, together, recipients, waitMaxMs }: LineBounds, work: (batch: Waiting[]) => Promise<void>) {
    this.#atOnce = atOnce;
    this.#together = together;
    this.#recipients = recipients;
    this.#waitMaxMs = waitMaxMs;
    this.#work = work;
  }

  add(request: AcceptRequest): Promise<AcceptAnswer> {
    const { accountId } = request;
    const ahead = this.#waiting.ahead(accountId);
    if (ahead >= waitingMax) return Promise.reject(new Overloaded('too many orders are waiting'));
    // What goes with the next two turns is taken in any case: the figure may be of worse times.
    if (ahead >= 2 * this.#together * this.#atOnce && ahead * this.#eachMs > this.#waitMaxMs)
      return Promise.reject(new Overloaded('it would wait too long'));
    return new Promise((resolve, reject) => {
      this.#waiting.add(accountId, { request, resolve, reject });
      this.#plan();
    });
  }

  // Not at once: requests read in the same turn of the event loop travel together. Unless there is a whole batch: when thousands
  // ask at the same time a turn takes a second and more, and with one batch in each hardly anything would be stored.
  #plan(): void {
    if (this.#running >= this.#atOnce || this.#waiting.size === 0) return;
    if (this.#together > 1 && this.#waiting.size >= this.#together) return this.#start();
    if (this.#planned) return;
    if (this.#waiting.size < this.#expected) {
      this.#patience ??= setTimeout(() => this.#expectNobody(), patienceMs);
      return;
    }
    this.#planned = setImmediate(() => {
      this.#planned = null;
      // Gone with a whole batch meanwhile.
      if (this.#running < this.#atOnce && this.#waiting.size > 0) this.#start();
    });
  }

  /** Two that have a name alike would be judged by what is stored, and neither is yet: the second waits for the next turn. */
  #next(): Waiting[] {
    const names = new Set<string>();
    let recipients = 0;
    const batch: Waiting[] = [];
    const left: Waiting[] = [];
    for (const one of this.#waiting.take(this.#together)) {
      const own = namesOf(one.request);
      const count = one.request.recipients.numbers.length;
      const fits = batch.length === 0 || recipients + count <= this.#recipients;
      if (!fits || own.some(name => names.has(name))) left.push(one);
      else {
        for (const name of own) names.add(name);
        recipients += count;
        batch.push(one);
      }
    }
    for (const one of left.reverse()) this.#waiting.giveBack(one.request.accountId, one);
    return batch;
  }

  #expectNobody(): void {
    this.#expected = 0;
    this.#patience = null;
    this.#plan();
  }

  #start(): void {
    if (this.#patience) clearTimeout(this.#patience);
    this.#patience = null;
    const batch = this.#next();
    this.#running++;
    const beganMs = monotonicMs();
    void this.#work(batch).finally(() => {
      this.#running--;
      const eachMs = (monotonicMs() - beganMs) / batch.length / this.#atOnce;
      this.#eachMs += (eachMs - this.#eachMs) * newShare;
      this.#expected = this.#together === 1 ? 0 : Math.min(this.#together, batch.length + this.#waiting.size);
      this.#plan();
    });
    this.#plan();
  }
}
