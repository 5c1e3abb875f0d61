// The requests of one session that wait for an answer, by sequence number. All have the same time limit, so the map's insertion
// order is also the order of expiry, and a sweep stops at the first live one. Expired requests are remembered for a while, so
// that a late answer can still be matched to its token.
import type { Pdu } from './codec.ts';
import type { SmppError } from './pdu-error.ts';
import { pdus } from './pdus.ts';

/** Sequence numbers run from 1 to this and begin again (section 3.2). */
export const sequenceMax = 0x7fffffff;
/** Expired tokens remembered per session, oldest forgotten first. */
export const lateMax = 10_000;

export type Settle = (error: SmppError | null, pdu: Pdu | null) => void;

/** Either `settle` is set (a promise waits) or the answer goes to the handler with `token`. */
type Waiting<T> = {
  answerId: number;
  deadlineMs: number;
  /** Takes a place in the send window; binds, unbind and enquire_link do not. */
  windowed: boolean;
  settle: Settle | null;
  token: T | undefined;
};

export class Pending<T> {
  readonly #waiting = new Map<number, Waiting<T>>();
  readonly #late = new Map<number, Waiting<T>>();
  #sequence = 0;
  #windowed = 0;

  /** Requests that hold a place in the window. */
  get windowed(): number {
    return this.#windowed;
  }

  /** Starts numbering at another point than 1. */
  startAfter(sequence: number): void {
    this.#sequence = sequence;
  }

  nextSequence(): number {
    let sequence = this.#sequence;
    do {
      sequence = sequence >= sequenceMax ? 1 : sequence + 1;
      // Only after 2^31 requests can a number still be in use; the sizes of both maps bound the loop.
    } while (this.#waiting.has(sequence) || (this.#late.size > 0 && this.#late.has(sequence)));
    this.#sequence = sequence;
    return sequence;
  }

  /** Stores the request and returns its sequence number. */
  add(waiting: Waiting<T>): number {
    const sequence = this.nextSequence();
    this.#waiting.set(sequence, waiting);
    if (waiting.windowed) this.#windowed++;
    return sequence;
  }

  /** Removes and returns the request that this answer belongs to: by number, and of its kind or a nack. */
  take(sequence: number, answerId: number): Waiting<T> | undefined {
    const waiting = this.#waiting.get(sequence);
    if (waiting === undefined || !fits(waiting, answerId)) return undefined;
    this.#remove(sequence, waiting);
    return waiting;
  }

  /** The same for a request that has expired. */
  takeLate(sequence: number, answerId: number): Waiting<T> | undefined {
    const waiting = this.#late.get(sequence);
    if (waiting === undefined || !fits(waiting, answerId)) return undefined;
    this.#late.delete(sequence);
    return waiting;
  }

  /** Removes and returns the requests whose deadline has passed. */
  expire(nowMs: number): Waiting<T>[] {
    const expired: Waiting<T>[] = [];
    for (const [sequence, waiting] of this.#waiting) {
      if (waiting.deadlineMs > nowMs) break;
      this.#remove(sequence, waiting);
      expired.push(waiting);
      if (waiting.settle === null) this.#remember(sequence, waiting);
    }
    return expired;
  }

  /** Removes and returns all. */
  clear(): Waiting<T>[] {
    const all = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#late.clear();
    this.#windowed = 0;
    return all;
  }

  #remove(sequence: number, waiting: Waiting<T>): void {
    this.#waiting.delete(sequence);
    if (waiting.windowed) this.#windowed--;
  }

  #remember(sequence: number, waiting: Waiting<T>): void {
    this.#late.set(sequence, waiting);
    if (this.#late.size <= lateMax) return;
    const oldest = this.#late.keys().next().value;
    if (oldest !== undefined) this.#late.delete(oldest);
  }
}

function fits(waiting: { answerId: number }, answerId: number): boolean {
  return waiting.answerId === answerId || answerId === pdus.generic_nack.id;
}
