// Work that is done one at a time, in the order of arrival, with a bound on how many may wait.
import { Overloaded } from './order-line.ts';

export class Turns {
  readonly #waitingMax: number;
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(waitingMax: number) {
    this.#waitingMax = waitingMax;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waiting > this.#waitingMax) throw new Overloaded('too many are waiting');
    this.#waiting++;
    const mine = this.#last.then(work);
    this.#last = mine.catch(() => {});
    return await mine.finally(() => this.#waiting--);
  }
}
