// A leased chunk while it is worked on: which of its messages is next, how many still have no answer, how far it may be
// written (the mark), and how fast (an account's pace).
import { monotonicMs } from '../clock.ts';
import type { Encoding } from '../text/alphabets.ts';

export type RunText = { text: string; encoding: Encoding };

export type RunFacts = {
  chunkId: number;
  token: number;
  accountId: number;
  orderId: number;
  lane: 0 | 1;
  kind: 0 | 1 | 2;
  attempt: number;
  sender: string;
  /** Messages per second; 0 = no pace of its own. */
  rate: number;
  ids: number[];
  numbers: number[];
  textNos: number[];
  texts: Map<number, RunText>;
  /** Id of the chunk's first position; positions in the database count from it, also over messages already final. */
  firstMessageId: number;
  /** Positions (of the database) that may be written under the mark set at the claim. */
  claimedMark: number;
};

/** A message of several parts, from its first submit to its last answer. */
export type LongMessage = { index: number; total: number; sent: number; answered: number; over: boolean };

export class ChunkRun {
  readonly facts: RunFacts;
  /** Positions to write again first: the carrier said "throttled". */
  readonly again: number[] = [];
  readonly long = new Map<number, LongMessage>();
  position = 0;
  open: number;
  mark: number;
  marking = false;
  /** A long message whose parts are not all written yet. */
  partial: LongMessage | null = null;
  readonly #startedAt = monotonicMs();

  constructor(facts: RunFacts) {
    this.facts = facts;
    this.open = facts.ids.length;
    const beyond = facts.ids.findIndex(id => id >= facts.firstMessageId + facts.claimedMark);
    this.mark = facts.kind !== 0 || beyond < 0 ? facts.ids.length : beyond;
  }

  /** The mark as the database counts it: every message before our `mark` lies before it, none after. */
  databaseMark(mark: number): number {
    if (this.facts.kind !== 0) return mark;
    return mark === 0 ? 0 : this.facts.ids[mark - 1]! - this.facts.firstMessageId + 1;
  }

  /** The next message to write, or -1: none left, beyond the mark, or too early for the account's pace. */
  next(): number {
    const index = this.again.pop();
    if (index !== undefined) return index;
    if (this.position >= this.facts.ids.length || this.position >= this.mark || this.position >= this.#allowed())
      return -1;
    return this.position++;
  }

  putBack(index: number): void {
    this.again.push(index);
  }

  get unsent(): number {
    return this.facts.ids.length - this.position + this.again.length;
  }

  /** The mark moves half a step before it is reached, so that writing does not wait for the database. */
  needsMark(step: number): boolean {
    return !this.marking && this.mark < this.facts.ids.length && this.position >= this.mark - step / 2;
  }

  /** Evenly over the time the account's clock granted; the first leaves at once. */
  #allowed(): number {
    if (this.facts.rate === 0 || this.facts.ids.length === 1) return Number.POSITIVE_INFINITY;
    return 1 + Math.floor(((monotonicMs() - this.#startedAt) / 1_000) * this.facts.rate);
  }
}
