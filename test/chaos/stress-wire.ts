// The carriers of the stress test: the copies that dispatchers wrote, the outcome of each, and receipts for any dispatcher.

type Fate = 'delivered' | 'undelivered' | 'swallowed';
/** One copy of a message. `answered`: the dispatcher read the answer; it may have died before storing it. */
type Copy = { message: number; fate: Fate; answered: boolean };
type Written = { message: number; number: number; parts: number };
type WireReceipt = { carrier: number; id: string; status: 111 | 112; number: number; dueMs: number };

const lastTen = 10_000_000_000;
const undeliveredEach = 10;

/** The first carrier sends numbers in receipts and reuses ids; the second does neither. */
export const prefixes = [90_551, 90_552];
export const numbersEach = 10_000_000;
export const carrierOf = (number: number) => prefixes.indexOf(Math.floor(number / numbersEach)) + 1;

export class Wire {
  readonly copies = new Map<number, Copy[]>();
  readonly #random: () => number;
  readonly #onTheWay: WireReceipt[] = [];
  readonly #takenIds = new Set<string>();
  #nextId = 1;

  constructor(random: () => number) {
    this.#random = random;
  }

  /** Accepts a message and returns the ids of its parts. */
  write({ message, number, parts }: Written, answered: boolean): string[] {
    const fate = this.#fateOf(number);
    this.copies.set(message, [...(this.copies.get(message) ?? []), { message, fate, answered }]);
    const ids = Array.from({ length: parts }, () => this.#idFor(number));
    if (fate !== 'swallowed') for (const id of ids) this.#report(id, number, fate);
    return ids;
  }

  /** Takes receipts that are due; each goes to one dispatcher. */
  take(most: number): WireReceipt[] {
    const nowMs = performance.now();
    const taken: WireReceipt[] = [];
    for (let i = this.#onTheWay.length - 1; i >= 0 && taken.length < most; i--)
      if (this.#onTheWay[i]!.dueMs <= nowMs) taken.push(...this.#onTheWay.splice(i, 1));
    return taken;
  }

  /** Returns receipts without acknowledgement: the carrier sends them again. */
  putBack(receipts: WireReceipt[]): void {
    this.#onTheWay.push(...receipts);
  }

  get isEmpty(): boolean {
    return this.#onTheWay.length === 0;
  }

  /** The outcome depends on the number, so it is the same for every copy. */
  #fateOf(number: number): Fate {
    if (number % undeliveredEach === 0) return 'undelivered';
    return this.#random() < 0.05 ? 'swallowed' : 'delivered';
  }

  /** Gives some ids twice, but never for the same number: those receipts could not be distinguished. */
  #idFor(number: number): string {
    const again = `s${this.#nextId - 50}`;
    const mayRepeat = carrierOf(number) === 1 && this.#nextId > 100 && this.#random() < 0.02;
    const id = mayRepeat && !this.#takenIds.has(`${again} ${number}`) ? again : `s${this.#nextId++}`;
    this.#takenIds.add(`${id} ${number}`);
    return id;
  }

  /** Plans a receipt: early, late, or twice. */
  #report(id: string, number: number, fate: 'delivered' | 'undelivered'): void {
    const carrier = carrierOf(number);
    const reportedNumber = carrier === 1 ? number % lastTen : 0;
    const dueMs = performance.now() + this.#random() * 400 - 100;
    const receipt: WireReceipt = {
      carrier,
      id,
      status: fate === 'delivered' ? 111 : 112,
      number: reportedNumber,
      dueMs,
    };
    this.#onTheWay.push(receipt);
    if (this.#random() < 0.05) this.#onTheWay.push({ ...receipt, dueMs: dueMs + 300 });
  }
}
