// Decides whether a session reads from its socket: its owner may pause it, and it pauses itself while the peer leaves answers
// unread or sends too many requests. Its clock stops meanwhile, because no answer can arrive.
import type { Socket } from 'node:net';
import { ReadingClock } from './reading-clock.ts';

/**
 * Most enquire_links, refused requests and unmatched answers of an ESME between two sweeps. Further ones wait for the next
 * sweep.
 */
export const chatterMax = 1_000;
/** Of one peer; Node alone reads up to 2 MB of one socket at once. */
const turnOctetsMax = 16_384;

type Held = 'unread' | 'chatter' | 'turn';

export class Reading {
  readonly #socket: Socket;
  readonly #clock = new ReadingClock();
  readonly #readOn: () => void;
  #paused = false;
  #held: Held | null = null;
  #heldAtMs = 0;
  #inTurn = 0;
  #closed = false;

  /** `readOn` reads what has already arrived; it is called before the socket flows again. */
  constructor(socket: Socket, readOn: () => void) {
    this.#socket = socket;
    this.#readOn = readOn;
  }

  get isOn(): boolean {
    return !this.#paused && this.#held === null && !this.#closed;
  }

  /** The time by the clock that stops while the session does not read. */
  nowMs(): number {
    return this.#clock.nowMs();
  }

  pause(): void {
    if (this.#paused || this.#closed) return;
    this.#paused = true;
    this.#stop();
  }

  resume(): void {
    if (!this.#paused || this.#closed) return;
    this.#paused = false;
    this.#start();
  }

  hold(why: Held): void {
    if (this.#held !== null || this.#closed) return;
    this.#held = why;
    this.#heldAtMs = performance.now();
    this.#stop();
  }

  release(why: Held): void {
    if (this.#held !== why || this.#closed) return;
    this.#held = null;
    this.#start();
  }

  /** Octets of requests. So that others are read meanwhile, more than a turn's wait for the next turn of the event loop. */
  count(octets: number): void {
    this.#inTurn += octets;
    if (this.#inTurn < turnOctetsMax) return;
    this.#inTurn = 0;
    this.hold('turn');
    setImmediate(() => this.release('turn'));
  }

  /** How long the peer has left our answers unread. */
  unreadMs(): number {
    return this.#held === 'unread' ? performance.now() - this.#heldAtMs : 0;
  }

  close(): void {
    this.#closed = true;
  }

  #stop(): void {
    this.#clock.stop();
    this.#socket.pause();
  }

  #start(): void {
    if (!this.isOn) return;
    this.#clock.start();
    // Deferred, because the caller may be inside a handler called from the read loop.
    setImmediate(() => {
      if (!this.isOn) return;
      this.#readOn();
      if (this.isOn) this.#socket.resume();
    });
  }
}
