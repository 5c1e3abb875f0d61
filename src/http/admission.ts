// Limits the memory that large bodies use. Bytes count when they arrive, not when they are announced. While a share is
// full, only the oldest body is read (so that bodies never wait for each other); the others keep their sockets unread,
// and beyond a bound they get 503 at once. A complete body waits for its turn: three are processed at a time. So memory
// stays flat when a hundred requests with 50,000 recipients arrive together. Small bodies are not counted. Requests
// without valid credentials have a share of their own and cannot delay customers.

import { Overloaded } from '../accept/order-line.ts';
import { limits } from '../limits.ts';
import { Refusal } from '../status.ts';

const waitingMax = 100;
const waitMaxMs = 25_000;

type Waiter = { enter(): void; fail(error: Error): void; timer: NodeJS.Timeout };

/** A queue in order of arrival; each entry waits for a bounded time. */
class Line {
  readonly #waiters = new Map<Hold, Waiter>();

  get holds(): Hold[] {
    return [...this.#waiters.keys()];
  }

  get first(): Hold | undefined {
    return this.#waiters.keys().next().value;
  }

  join(hold: Hold): Promise<void> {
    if (this.#waiters.size >= waitingMax) return Promise.reject(new Overloaded('too many large requests'));
    return new Promise((enter, fail) => {
      const late = () => this.drop(hold, new Overloaded('a large request waited too long'));
      this.#waiters.set(hold, { enter, fail, timer: setTimeout(late, waitMaxMs) });
    });
  }

  call(hold: Hold): void {
    this.#remove(hold)?.enter();
  }

  drop(hold: Hold, error: Error): void {
    this.#remove(hold)?.fail(error);
  }

  #remove(hold: Hold): Waiter | undefined {
    const waiter = this.#waiters.get(hold);
    clearTimeout(waiter?.timer);
    this.#waiters.delete(hold);
    return waiter;
  }
}

class Share {
  readonly #bytesMax: number;
  readonly #workersMax: number;
  readonly #room = new Line();
  readonly #turns = new Line();
  readonly #readers = new Set<Hold>();
  readonly #workers = new Set<Hold>();
  #bytes = 0;
  #bytesWorkedOn = 0;

  constructor(bytesMax: number, workersMax: number) {
    this.#bytesMax = bytesMax;
    this.#workersMax = workersMax;
  }

  /** Counts bytes that have arrived. Resolves when the next may be read; undefined means at once. */
  read(hold: Hold, bytes: number): Promise<void> | undefined {
    this.#readers.add(hold);
    this.#bytes += bytes;
    return this.#mayRead(hold) ? undefined : this.#room.join(hold);
  }

  /** Processes a complete body in its turn. It was read for this share, or moved here from the other one. */
  async work(hold: Hold, bytesMore = 0): Promise<void> {
    this.#bytes += bytesMore;
    if (this.#readers.delete(hold)) this.#next();
    if (this.#turns.first || !this.#mayWork(hold)) return this.#turns.join(hold);
    this.#take(hold);
  }

  leave(hold: Hold): void {
    this.#bytes -= hold.bytes;
    this.#readers.delete(hold);
    if (this.#workers.delete(hold)) this.#bytesWorkedOn -= hold.bytes;
    this.#room.drop(hold, new Refusal(400));
    this.#turns.drop(hold, new Refusal(400));
    this.#next();
  }

  #mayRead(hold: Hold): boolean {
    return this.#bytes < this.#bytesMax || this.#readers.keys().next().value === hold;
  }

  #mayWork(hold: Hold): boolean {
    if (this.#workers.size === 0) return true;
    return this.#workers.size < this.#workersMax && this.#bytesWorkedOn + hold.bytes <= limits.bodyBytes;
  }

  #take(hold: Hold): void {
    this.#workers.add(hold);
    this.#bytesWorkedOn += hold.bytes;
  }

  #next(): void {
    for (const hold of this.#room.holds) if (this.#mayRead(hold)) this.#room.call(hold);
    for (let hold = this.#turns.first; hold && this.#mayWork(hold); hold = this.#turns.first) {
      this.#take(hold);
      this.#turns.call(hold);
    }
  }
}

/** The memory that one large body occupies, from its first byte over the limit of small bodies until its answer. */
export class Hold {
  bytes = 0;
  #share: Share;
  readonly #customers: Share;
  #hasLeft = false;

  constructor(share: Share, customers: Share) {
    this.#share = share;
    this.#customers = customers;
  }

  add(bytes: number): Promise<void> | undefined {
    if (this.#hasLeft) throw new Refusal(400);
    this.bytes += bytes;
    return this.#share.read(this, bytes);
  }

  /** Called when the body is complete: waits for its turn. */
  async work(): Promise<void> {
    if (this.#hasLeft) throw new Refusal(400);
    await this.#share.work(this);
  }

  /** The credentials were valid: the body moves to the customers' share and waits for its turn there. */
  async verify(): Promise<void> {
    if (this.#hasLeft || this.#share === this.#customers) return;
    this.#share.leave(this);
    this.#share = this.#customers;
    await this.#share.work(this, this.bytes);
  }

  leave(): void {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    this.#share.leave(this);
  }
}

export type Caller = 'customer' | 'stranger';

export class Admission {
  readonly #customers = new Share(limits.bodyBytes, 3);
  readonly #strangers = new Share(limits.bodyBytes / 2, 2);

  begin(caller: Caller): Hold {
    return new Hold(caller === 'customer' ? this.#customers : this.#strangers, this.#customers);
  }
}
