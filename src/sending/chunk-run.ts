// A leased chunk while it is worked on: which of its messages is next, how many still have no answer, how far it may be
// written (the mark), how fast (its account's pace) and until when (its deadline).

import type { ConsentChoice } from '../carriers/http/placeholders.ts';
import type { AccountPace } from '../queue/account-pace.ts';
import { smallChunk } from '../queue/chunk-size.ts';
import type { ClaimedChunk } from '../queue/claim.ts';
import type { Encoding } from '../text/alphabets.ts';
import { monotonicMs } from '../time/clock.ts';

type RunText = { text: string; encoding: Encoding };
/** `texts`: by their numbers. `deadlineMs`: end of the validity, by the monotonic clock; nothing is written after it. */
export type RunOrder = {
  id: number;
  sender: string;
  /** What a carrier over HTTP is told of consents. */
  consent: ConsentChoice;
  texts: Map<number, RunText>;
  deadlineMs: number;
};

/** Of the chunk as it was claimed, what writing it needs. */
export type RunFacts = Pick<
  ClaimedChunk,
  'token' | 'accountId' | 'attempt' | 'places' | 'textNos' | 'firstMessageId'
> & {
  chunkId: number;
  lane: 0 | 1;
  /** Of single sends and orders of up to 100 recipients: these go before larger ones. */
  small: boolean;
  /** null = as fast as the carriers take them. */
  pace: AccountPace | null;
  ids: number[];
  numbers: number[];
  /** The order of each message; null: all are of the only one. */
  orderIds: number[] | null;
  orders: Map<number, RunOrder>;
  /** Positions (of the database, which count also messages that are final) that may be written under the mark set at the claim. */
  claimedMark: number;
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
  /** Of a small order, or written in one turn: it is marked before larger ones. */
  readonly hurries: boolean;
  /** Positions to write again first: the carrier said "throttled". */
  readonly again: number[] = [];
  readonly long = new Map<number, LongMessage>();
  /** Long messages with parts still to be written; the first goes on before anything new begins. */
  readonly unfinished: LongMessage[] = [];
  /** Long messages with a part that waits before it is tried again. */
  readonly delayed = new Set<LongMessage>();
  /** Messages ahead that have come to their end without being written. */
  readonly gone = new Set<number>();
  position = 0;
  /** When something of it was last written, or its mark moved. */
  movedMs = monotonicMs();
  open: number;
  mark: number;
  marking = false;
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
    const beyond = facts.ids.findIndex((_, i) => this.#placeOf(i) > facts.claimedMark);
    this.mark = beyond < 0 ? facts.ids.length : beyond;
    this.hurries = facts.small || facts.ids.length <= smallChunk;
    const [only] = facts.orders.values();
    this.#only = facts.orderIds === null ? only : undefined;
  }

  readonly #only: RunOrder | undefined;

  orderOf(index: number): RunOrder {
    return this.#only ?? this.facts.orders.get(this.facts.orderIds![index]!)!;
  }

  textOf(index: number): RunText {
    return this.orderOf(index).texts.get(this.facts.textNos?.[index] ?? 1)!;
  }

  /** Where a message stands in its chunk, counted from 1 and over those that have come to their end. */
  #placeOf(index: number): number {
    const { places, ids, firstMessageId } = this.facts;
    return places?.[index] ?? ids[index]! - firstMessageId + 1;
  }

  /** The mark as the database counts it: every message before our `mark` lies before it, none after. */
  databaseMark(mark: number): number {
    return mark === 0 ? 0 : this.#placeOf(mark - 1);
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

  /** What peek() named is about to be written, or has come to its end. */
  take(): void {
    if (this.again.pop() !== undefined) return;
    this.position++;
    this.movedMs = monotonicMs();
    this.facts.pace?.take(this.movedMs, this.facts.small);
  }

  /** Marked and not written: after a crash these would be unsure. */
  get marked(): number {
    return Math.max(0, this.mark - this.position);
  }

  /** Takes out what is not written yet and is meant. */
  takeUnsent(isMeant: (index: number) => boolean): number[] {
    const taken = this.again.filter(isMeant);
    this.again.splice(0, this.again.length, ...this.again.filter(index => !isMeant(index)));
    for (let index = this.position; index < this.facts.ids.length; index++)
      if (!this.gone.has(index) && isMeant(index)) {
        taken.push(index);
        this.gone.add(index);
      }
    return taken;
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
    return this.facts.ids.length - this.position - this.gone.size + this.again.length;
  }
}
