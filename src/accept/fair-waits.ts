// A queue that serves accounts in turns, and the items of an account in their order. A customer that sends ten times as much as can
// be stored waits behind itself, and the one-time code of another goes with the next batch.
export class FairWaits<T> {
  readonly #accounts = new Map<number, T[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** How many items are served before a new one of this account. */
  ahead(accountId: number): number {
    const mine = this.#accounts.get(accountId);
    return mine ? Math.min(this.#size, mine.length * this.#accounts.size) : Math.min(this.#size, this.#accounts.size);
  }

  /** `isFirst`: a taken item comes back, as the next of its account. */
  add(accountId: number, item: T, isFirst = false): void {
    const mine = this.#accounts.get(accountId) ?? [];
    this.#accounts.set(accountId, mine);
    if (isFirst) mine.unshift(item);
    else mine.push(item);
    this.#size++;
  }

  /** Takes the next items, evenly over the accounts; a served account goes to the end. */
  take(count: number): T[] {
    const taken: T[] = [];
    while (taken.length < count && this.#size > 0) {
      const [accountId, mine] = this.#accounts.entries().next().value!;
      const share = Math.max(1, Math.floor((count - taken.length) / this.#accounts.size));
      const some = mine.splice(0, share);
      this.#accounts.delete(accountId);
      if (mine.length > 0) this.#accounts.set(accountId, mine);
      this.#size -= some.length;
      taken.push(...some);
    }
    return taken;
  }
}
