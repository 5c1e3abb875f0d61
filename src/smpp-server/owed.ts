// What is owed to an SMPP user, in the hands of this process. Receipts that stand in one row of storage: which of them are told, and when
// the row may go or must be given back; what is said twice changes nothing.
import type { Origin } from './read-submit.ts';

type Receipt = {
  /** Of a receipt: the id by which the customer knows the message. */
  smppId: number | null;
  status: number;
  reason: number;
  doneAt: Date;
  /** Of an order removed since, nothing: it is dropped. */
  sender: string | null;
  number: string | null;
  submitAt: Date | null;
  origin: Origin | null;
  /** Of a message from a phone. */
  text: string | null;
};

export type Owed = Receipt & {
  /** Of the row that it has to itself; 0: it has none. */
  id: number;
  /** The row that it shares, and its place in there; null: it shares none. */
  bundle: Bundle | null;
  at: number;
  userId: number;
  tries: number;
};

const held = 0;
const told = 1;
const returned = 2;

/** What the receipts of a bundle need that are left, an element for each; `at`: their places in it. */
export type BundleRow = {
  id: number;
  userId: number;
  doneAt: Date;
  /** A bit for each receipt. */
  told: string;
  at: number[] | null;
  smppIds: number[];
  statuses: number[];
  reasons: number[];
  submitted: number[];
  numbers: (string | null)[];
  senders: string[];
  origins: Receipt['origin'][];
};

export class Bundle {
  readonly id: number;
  /** Not told yet. */
  left = 0;
  /** Of them in our hands. */
  #held = 0;
  readonly #places: Uint8Array;

  constructor(id: number, bits: string) {
    this.id = id;
    this.#places = Uint8Array.from(bits, bit => (bit === '1' ? told : held));
    for (const place of this.#places) if (place === held) this.left++;
    this.#held = this.left;
  }

  /** The customer has answered it, or it stands in a row of its own from now on. */
  tell(at: number): void {
    const was = this.#places[at];
    if (was === told) return;
    this.#places[at] = told;
    this.left--;
    if (was === held) this.#held--;
  }

  giveBack(at: number): void {
    if (this.#places[at] !== held) return;
    this.#places[at] = returned;
    this.#held--;
  }

  /** Nobody here has anything of it any more, and there is something left. */
  get isFree(): boolean {
    return this.#held === 0 && this.left > 0;
  }

  get bits(): string {
    let bits = '';
    for (const place of this.#places) bits += place === told ? '1' : '0';
    return bits;
  }
}

/** One by one, those too whose order is gone: they are dropped like any other. */
export function unbundled(row: BundleRow): Owed[] {
  const bundle = new Bundle(row.id, row.told);
  const list: Owed[] = [];
  const places = new Map(row.at?.map((at, i) => [at, i]));
  for (let at = 0; at < row.told.length; at++) {
    if (row.told[at] === '1') continue;
    const i = places.get(at);
    const isThere = i !== undefined;
    list.push({
      id: 0,
      bundle,
      at,
      userId: row.userId,
      smppId: isThere ? row.smppIds[i]! : null,
      status: isThere ? row.statuses[i]! : 0,
      reason: isThere ? row.reasons[i]! : 0,
      doneAt: row.doneAt,
      tries: 0,
      sender: isThere ? row.senders[i]! : null,
      number: isThere ? row.numbers[i]! : null,
      submitAt: isThere ? new Date(row.submitted[i]!) : null,
      origin: isThere ? row.origins[i]! : null,
      text: null,
    });
  }
  return list;
}
