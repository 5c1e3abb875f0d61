// A leased chunk while it is worked on: which of its messages is next, how many still have no answer, how far it may be
// written (the mark), how fast (its account's pace) and until when (its deadline).
import { monotonicMs } from '../../clock.ts';
import type { Encoding } from '../../text/alphabets.ts';
import type { AccountPace } from './account-pace.ts';
import { smallChunk } from './mark-step.ts';

export type RunText = { text: string; encoding: Encoding };

export type RunFacts = {
  chunkId: number;
  token: number;
  accountId: number;
  /** Of a shared chunk the first: messages and orders of it have consecutive ids. */
  orderId: number;
  shared: boolean;
  lane: 0 | 1;
  kind: 0 | 1 | 2;
  attempt: number;
  sender: string;
  /** null = as fast as the carriers take them. */
  pace: AccountPace | null;
  ids: number[];
  numbers: number[];
  textNos: number[];
  texts: Map<number, RunText>;
  /** Id of the chunk's first position; positions in the database count from it, also over messages already final. */
  firstMessageId: number;
  /** Positions (of the database) that may be written under the mark set at the claim. */
  claimedMark: number;
  /** End of the validity, by the monotonic clock: nothing is written after it. */
  deadlineMs: number;
};

/** A message of several parts, from its first submit to its last answer. */
export type LongMessage = {
  index: number;
  total: number;
  /** Parts to be written. */
  todo: number[];
  /** How often each part was refused for the time being. */
  tries: number[];
  answered: number;
  over: boolean;
};

const stuckAfterMs = 500;

export class ChunkRun {
  readonly facts: RunFacts;
  /** Written in one turn, one-time codes, or submits that became one order: it waits for no other chunk of its account. */
  readonly hurries: boolean;
  /** Positions to write again first: the carrier said "throttled". */
  readonly again: number[] = [];
  readonly long = new Map<number, LongMessage>();
  /** Long messages with parts still to be written; the first goes on before anything new begins. */
  readonly unfinished: LongMessage[] = [];
  /** Long messages with a part that waits before it is tried again. */
  readonly delayed = new Set<LongMessage>();
  position = 0;
  open: number;
  mark: number;
  marking = false;
  /** Its turn among the chunks of its account has come. */
  begun = false;
  /** Since when its carrier has taken nothing of it; null while it does. */
  busySinceMs: number | null = null;
  /** Submits without an answer. */
  flights = 0;
  /** Nothing new is written: the chunk goes back once its flights have landed. */
  leaving = false;
  /** The lease is no longer ours: others decide what becomes of the messages. */
  abandoned = false;

  constructor(facts: RunFacts) {
    this.facts = facts;
    this.open = facts.ids.length;
    const beyond = facts.ids.findIndex(id => id >= facts.firstMessageId + facts.claimedMark);
    this.mark = facts.kind !== 0 || beyond < 0 ? facts.ids.length : beyond;
    // What goes before campaigns is marked whole by the claim.
    const isMarked = facts.kind === 0 && beyond < 0;
    this.hurries = facts.shared || isMarked || facts.ids.length <= smallChunk;
  }

  /** The order of a message. */
  orderOf(index: number): number {
    const { shared, orderId, ids, firstMessageId } = this.facts;
    return shared ? orderId + ids[index]! - firstMessageId : orderId;
  }

  /** The mark as the database counts it: every message before our `mark` lies before it, none after. */
  databaseMark(mark: number): number {
    if (this.facts.kind !== 0) return mark;
    return mark === 0 ? 0 : this.facts.ids[mark - 1]! - this.facts.firstMessageId + 1;
  }

  /** The next message to write, or -1: none left, beyond the mark, or too early for the account's pace. */
  next(): number {
    if (this.leaving) return -1;
    const index = this.again.pop();
    if (index !== undefined) return index;
    if (this.position >= this.facts.ids.length || this.position >= this.mark) return -1;
    const { pace } = this.facts;
    if (pace) {
      const nowMs = monotonicMs();
      if (!pace.allows(nowMs)) return -1;
      pace.take(nowMs);
    }
    return this.position++;
  }

  putBack(index: number): void {
    this.again.push(index);
  }

  /** Its carrier is so full, or so silent, that others need not wait for it. */
  stuck(): boolean {
    return this.busySinceMs !== null && monotonicMs() - this.busySinceMs > stuckAfterMs;
  }

  /** Whether there is anything left to be written. */
  get holds(): boolean {
    return this.unsent > 0 || this.unfinished.length > 0 || this.delayed.size > 0;
  }

  get unsent(): number {
    return this.facts.ids.length - this.position + this.again.length;
  }

  /** The mark moves half a step before it is reached, so that writing does not wait for the database. */
  needsMark(step: number): boolean {
    return !this.marking && this.mark < this.facts.ids.length && this.position >= this.mark - step / 2;
  }

  /**
   * A step beyond the place where it is due again. Counted from what is written, not from the mark: with a smaller step it
   * would stay as far ahead as before.
   */
  nextMark(step: number): number {
    return Math.min(this.facts.ids.length, Math.max(this.mark + 1, this.position + Math.ceil(1.5 * step)));
  }
}
