// Work that is done one at a time, in the order of arrival.
export class Turns {
  #last: Promise<unknown> = Promise.resolve();
  /** How many are waiting or being done. */
  waiting = 0;

  async run<T>(work: () => Promise<T>): Promise<T> {
    this.waiting++;
    const mine = this.#last.then(work);
    this.#last = mine.catch(() => {});
    return await mine.finally(() => this.waiting--);
  }
}
