// A leased chunk that is being sent: its next message, how many messages have no answer, how far it may be written (the mark), how
// fast (the account's pace) and until when (the deadline).

import type { AccountPace } from '../queue/account-pace.ts';
import { smallChunk } from '../queue/chunk-size.ts';
import type { ClaimedChunk, Mark } from '../queue/claim.ts';
import { monotonicMs } from '../time/clock.ts';
import type { Wording } from './http/template.ts';

/** `texts`: by their numbers. `deadlineMs`: end of the validity, by the monotonic clock; nothing is written after it. */
export type RunOrder = {
  id: number;
  sender: string;
  texts: Map<number, Wording>;
  deadlineMs: number;
};

/** The facts of a claimed chunk that writing needs. */
export type RunFacts = Pick<
  ClaimedChunk,
  'token' | 'accountId' | 'attempt' | 'places' | 'textNos' | 'firstMessageId'
> & {
  chunkId: number;
  lane: 0 | 1;
  /** Single sends and orders of up to 100 recipients are sent before larger ones. */
  small: boolean;
  /** null = as fast as the carriers take them. */
  pace: AccountPace | null;
  ids: number[];
  numbers: number[];
  /** The order of each message; null: the chunk has one order. */
  orderIds: number[] | null;
  orders: Map<number, RunOrder>;
  /** The mark that the claim set, as the database counts it: ended messages included. */
  claimedMark: number;
};

/** A message of several parts, from its first submit to its last answer. */
export type LongMessage = {
  index: number;
  total: number;
  /** Parts to be written. */
  todo: number[];
  /** How many temporary refusals each part had. */
  tries: number[];
  answered: number;
  over: boolean;
};

const stuckAfterMs = 500;

export class ChunkRun {
  readonly facts: RunFacts;
  /** A chunk of a small order, or one that is written in one turn: marked before larger ones. */
  readonly hurries: boolean;
  /** Positions to write again first: the carrier said "throttled". */
  readonly again: number[] = [];
  readonly long = new Map<number, LongMessage>();
  /** Long messages with parts left to write; the first is finished before a new message begins. */
  readonly unfinished: LongMessage[] = [];
  /** Long messages with a part that waits for its retry. */
  readonly delayed = new Set<LongMessage>();
  /** Later messages that ended without being written. */
  readonly gone = new Set<number>();
  position = 0;
  open: number;
  mark: number;
  /** How far it may have been written, as the file of progress has it. */
  noted = 0;
  marking = false;
  /** Since when its carrier has accepted none of its messages; null while it accepts them. */
  busySinceMs: number | null = null;
  /** Submits without an answer. */
  flights = 0;
  /** No further message is written: the chunk is given back once every submit has its answer. */
  leaving = false;
  /** The lease is lost: the messages belong to another dispatcher. */
  abandoned = false;

  constructor(facts: RunFacts) {
    this.facts = facts;
    this.open = facts.ids.length;
    const beyond = facts.ids.findIndex((_, i) => this.#positionOf(i) > facts.claimedMark);
    this.mark = beyond < 0 ? facts.ids.length : beyond;
    this.hurries = facts.small || facts.ids.length <= smallChunk;
    const [only] = facts.orders.values();
    this.#only = facts.orderIds === null ? only : undefined;
  }

  readonly #only: RunOrder | undefined;

  orderOf(index: number): RunOrder {
    return this.#only ?? this.facts.orders.get(this.facts.orderIds![index]!)!;
  }

  textOf(index: number): Wording {
    return this.orderOf(index).texts.get(this.facts.textNos?.[index] ?? 1)!;
  }

  /** Position of a message in its chunk, from 1, ended messages included. */
  #positionOf(index: number): number {
    const { places, ids, firstMessageId } = this.facts;
    return places?.[index] ?? ids[index]! - firstMessageId + 1;
  }

  /** As the database counts: the messages before `position` may have been written. */
  markAt(position: number): Mark {
    const { chunkId, token } = this.facts;
    return { chunkId, token, mark: position === 0 ? 0 : this.#positionOf(position - 1) };
  }

  /** The next message to write, or -1: none left, beyond the mark, or too early for the account's pace. */
  peek(): number {
    if (this.leaving) return -1;
    if (this.again.length > 0) return this.again.at(-1)!;
    while (this.gone.delete(this.position)) this.position++;
    if (this.position >= this.facts.ids.length || this.position >= this.mark) return -1;
    const { pace, small } = this.facts;
    return pace && !pace.allows(monotonicMs(), small) ? -1 : this.position;
  }

  /** Moves past the message of peek(): it is about to be written, or has ended. */
  take(): void {
    if (this.again.pop() !== undefined) return;
    this.position++;
    this.facts.pace?.take(monotonicMs(), this.facts.small);
  }

  /** How many messages are marked and not written: after a crash they would be unsure. */
  get marked(): number {
    return Math.max(0, this.mark - this.position);
  }

  /** Removes the unwritten messages that match, and returns them. */
  takeUnsent(isMeant: (index: number) => boolean): number[] {
    const removed = this.again.filter(isMeant);
    this.again.splice(0, this.again.length, ...this.again.filter(index => !isMeant(index)));
    for (let index = this.position; index < this.facts.ids.length; index++)
      if (!this.gone.has(index) && isMeant(index)) {
        removed.push(index);
        this.gone.add(index);
      }
    return removed;
  }

  /** Its carrier has accepted nothing for so long that other chunks do not wait for this one. */
  stuck(): boolean {
    return this.busySinceMs !== null && monotonicMs() - this.busySinceMs > stuckAfterMs;
  }

  /** Whether a message is left to write. */
  get holds(): boolean {
    return this.unsent > 0 || this.unfinished.length > 0 || this.delayed.size > 0;
  }

  get unsent(): number {
    return this.facts.ids.length - this.position - this.gone.size + this.again.length;
  }
}
