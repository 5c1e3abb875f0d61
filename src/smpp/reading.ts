// Whether a session reads from its socket: its owner may pause it, and it holds itself back while the peer leaves answers unread
// or chatters. Its clock stands still meanwhile, since no answer can arrive.
import type { Socket } from 'node:net';
import { ReadingClock } from './reading-clock.ts';

/** Of an ESME between two sweeps: enquire_links, refused requests, answers to nothing. More waits for the next sweep. */
export const chatterMax = 1_000;

export type Held = 'unread' | 'chatter';

export class Reading {
  readonly #socket: Socket;
  readonly #clock = new ReadingClock();
  readonly #readOn: () => void;
  #paused = false;
  #held: Held | null = null;
  #heldAtMs = 0;
  #closed = false;

  /** `readOn`: reads what is there already; called before the socket flows again. */
  constructor(socket: Socket, readOn: () => void) {
    this.#socket = socket;
    this.#readOn = readOn;
  }

  get isOn(): boolean {
    return !this.#paused && this.#held === null && !this.#closed;
  }

  /** By the clock that stands still. */
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

  /** For how long the peer has left our answers unread. */
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
    // Not at once: the caller may be inside a handler called from the read loop, or hold other half-done work.
    setImmediate(() => {
      if (!this.isOn) return;
      this.#readOn();
      if (this.isOn) this.#socket.resume();
    });
  }
}
