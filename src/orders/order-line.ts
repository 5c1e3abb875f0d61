// Orders of one kind on their way into the database, in the order of their arrival, with bounds on how many wait and how many
// are worked on.
import type { AcceptAnswer, AcceptRequest } from './accept-request.ts';

const waitingMax = 5_000;
const patienceMs = 1;

export type Waiting = { request: AcceptRequest; resolve(answer: AcceptAnswer): void; reject(error: unknown): void };

/** Thrown when so many orders wait already that another would only wait longer: answered 503. */
export class Overloaded extends Error {}

/**
 * Orders that wait for their turn, worked on by at most `atOnce` at a time, up to `together` in one go. Whoever was just
 * answered will most likely ask again at once: a batch waits for those, a millisecond at most, because its fixed cost
 * (0.25 ms in the database, and the ways there and back) is that of a dozen more orders in it.
 */
export class OrderLine {
  readonly #waiting: Waiting[] = [];
  readonly #atOnce: number;
  readonly #together: number;
  readonly #work: (batch: Waiting[]) => Promise<void>;
  #running = 0;
  #planned: NodeJS.Immediate | null = null;
  #expected = 0;
  #patience: NodeJS.Timeout | null = null;

  constructor(atOnce: number, together: number, work: (batch: Waiting[]) => Promise<void>) {
    this.#atOnce = atOnce;
    this.#together = together;
    this.#work = work;
  }

  add(request: AcceptRequest): Promise<AcceptAnswer> {
    if (this.#waiting.length >= waitingMax) return Promise.reject(new Overloaded('too many orders are waiting'));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, resolve, reject });
      this.#plan();
    });
  }

  // Not at once: requests read in the same turn of the event loop travel together.
  #plan(): void {
    if (this.#planned || this.#running >= this.#atOnce || this.#waiting.length === 0) return;
    if (this.#waiting.length < this.#expected) {
      this.#patience ??= setTimeout(() => this.#expectNobody(), patienceMs);
      return;
    }
    this.#planned = setImmediate(() => {
      this.#planned = null;
      this.#start();
    });
  }

  #expectNobody(): void {
    this.#expected = 0;
    this.#patience = null;
    this.#plan();
  }

  #start(): void {
    if (this.#patience) clearTimeout(this.#patience);
    this.#patience = null;
    const batch = this.#waiting.splice(0, this.#together);
    this.#running++;
    void this.#work(batch).finally(() => {
      this.#running--;
      this.#expected = this.#together === 1 ? 0 : Math.min(this.#together, batch.length + this.#waiting.length);
      this.#plan();
    });
    this.#plan();
  }
}
