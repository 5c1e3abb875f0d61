// The numbers of one text, each once, whatever the order. An open-addressing table in typed arrays: 50,000 numbers in 1.5 ms,
// where sorting them takes 3 and a Set 9. Beside it the sum of the numbers and of the mixed numbers, which name the set
// without its order: enough against accident; whoever made two sets collide on purpose would only refuse an order of their own (451).
export class NumberSet {
  readonly #slots: Float64Array;
  readonly #mask: number;
  #mixed = 0;
  #plain = 0;
  size = 0;

  constructor(numbersMax: number) {
    // At most half full, so that a search ends after a step or two.
    const slots = 2 ** Math.ceil(Math.log2(Math.max(8, numbersMax * 2)));
    this.#slots = new Float64Array(slots);
    this.#mask = slots - 1;
  }

  /** False when it was there already. */
  add(number: number): boolean {
    const mixed = mix(number);
    let at = mixed & this.#mask;
    for (let held = this.#slots[at]; held !== 0; held = this.#slots[at]) {
      if (held === number) return false;
      at = (at + 1) & this.#mask;
    }
    this.#slots[at] = number;
    this.#mixed = (this.#mixed + mixed) | 0;
    this.#plain = (this.#plain + (number | 0)) | 0;
    this.size++;
    return true;
  }

  /** The same for the same numbers in any order. */
  get name(): string {
    return `${this.size} ${this.#mixed} ${this.#plain}`;
  }
}

/** Both halves of the number, multiplied and folded until every bit depends on every other. */
function mix(number: number): number {
  let bits = Math.imul(number | 0, 0x85ebca6b) ^ Math.imul((number / 2 ** 32) | 0, 0xc2b2ae35);
  bits = Math.imul(bits ^ (bits >>> 15), 0x9e3779b1);
  return bits ^ (bits >>> 13);
}
