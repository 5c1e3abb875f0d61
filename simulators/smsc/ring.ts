/*
 * A queue open at both ends in one circular array: constant cost per step at any length, while
 * Array.shift moves up to half a million entries and a linked list costs an object per entry.
 */
const CAPACITY_FIRST = 16;

export class Ring<T> {
  #slots: (T | undefined)[] = new Array(CAPACITY_FIRST);
  #head = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(item: T): void {
    if (this.#length === this.#slots.length) this.#grow();
    this.#slots[(this.#head + this.#length) & (this.#slots.length - 1)] = item;
    this.#length++;
  }

  unshift(item: T): void {
    if (this.#length === this.#slots.length) this.#grow();
    this.#head = (this.#head - 1) & (this.#slots.length - 1);
    this.#slots[this.#head] = item;
    this.#length++;
  }

  peek(): T | undefined {
    return this.#length === 0 ? undefined : this.#slots[this.#head];
  }

  shift(): T | undefined {
    if (this.#length === 0) return undefined;
    const item = this.#slots[this.#head];
    this.#slots[this.#head] = undefined;
    this.#head = (this.#head + 1) & (this.#slots.length - 1);
    this.#length--;
    return item;
  }

  /* Index 0 is the oldest entry. */
  at(index: number): T | undefined {
    return index < 0 || index >= this.#length
      ? undefined
      : this.#slots[(this.#head + index) & (this.#slots.length - 1)];
  }

  clear(): void {
    this.#slots = new Array(CAPACITY_FIRST);
    this.#head = 0;
    this.#length = 0;
  }

  #grow(): void {
    const larger: (T | undefined)[] = new Array(this.#slots.length * 2);
    for (let index = 0; index < this.#length; index++) larger[index] = this.at(index);
    this.#slots = larger;
    this.#head = 0;
  }
}
