// A link to a carrier, for any protocol (SMPP: carrier-link.ts, HTTP: http/http-link.ts): one slot with a window and a pace. It takes its slot,
// connects, and reconnects with growing pauses. After a refused password it tries once a minute. Stopping drains: no further submits, wait for
// answers, give the slot back.

import { nothingCounted } from '../../carriers/carrier-history.ts';
import { Tally } from '../../carriers/carrier-tally.ts';
import type { CarrierWithPassword } from '../../carriers/carriers.ts';
import type { Log } from '../../log.ts';
import type { SubmitVerdict } from '../../receipts/verdicts.ts';
import type { SessionHandler } from '../../smpp/session.ts';
import { backoffMs } from '../../time/backoff.ts';
import { Pace } from './pace.ts';
import type { Slots } from './slot-locks.ts';
import type { Outgoing } from './submit.ts';

type LinkState = 'waiting for slot' | 'connecting' | 'bound' | 'down' | 'stopped';

/** Callbacks of the dispatcher. */
export type LinkEvents<T> = {
  onAccepted(link: Link<T>, token: T, messageId: string): void;
  /** `words`: the refusal as the carrier's errors show it. */
  onRefused(link: Link<T>, token: T, verdict: SubmitVerdict, words: string): void;
  onLateAccepted(link: Link<T>, token: T, messageId: string): void;
  /** `isWritten`: the carrier may have got it. */
  onLost(link: Link<T>, token: T, isWritten: boolean): void;
  onRoom(): void;
  onRequest(link: Link<T>, ...args: Parameters<SessionHandler<T>['onRequest']>): void;
  onState(link: Link<T>): void;
  /** The carrier refuses our account (credit, password, address): nothing is sent until staff resume it. */
  onTrouble(link: Link<T>, words: string): void;
  /** Whether the lease is certainly valid; checked where writing happens later than submitting. */
  mayWrite(): boolean;
};

/** What all links of a process share. */
export type LinkParts<T> = { events: LinkEvents<T>; locks: Slots; log: Log };

const slotRetryMs = 1_000;
// Attempts are two seconds apart for the first half minute, so that a short outage ends soon; then up to 30 seconds.
const patientAfter = 20;
const refusedPauseMs = 60_000;

/** `T` is the token of a submit. */
export abstract class Link<T> {
  readonly carrier: CarrierWithPassword;
  readonly slot: number;
  readonly pace: Pace;
  /** Start of `counts`. */
  readonly countingSince = new Date();
  readonly counts = { ...nothingCounted };
  /** Errors and intermediate receipt states since they were last published. */
  readonly errors = new Tally();
  readonly words = new Tally();
  state: LinkState = 'down';
  since = new Date();
  lastError: string | null = null;
  protected readonly events: LinkEvents<T>;
  protected readonly log: Log;
  protected isStopped = false;
  protected slotLost = false;
  readonly #locks: Slots;
  #failures = 0;
  #hasSlot = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(carrier: CarrierWithPassword, slot: number, { events, locks, log }: LinkParts<T>) {
    this.carrier = carrier;
    this.slot = slot;
    this.pace = new Pace(carrier.rate && carrier.rate / carrier.binds);
    this.events = events;
    this.#locks = locks;
    this.log = log;
  }

  abstract get windowUsed(): number;
  /** How many submits may leave now, at most `wanted`. */
  abstract room(wanted: number): number;
  abstract submit(message: Outgoing, token: T): boolean;
  /** Connects and binds, or throws. */
  protected abstract connect(): Promise<void>;
  /** Forgets its connections, and returns how to end them. */
  protected abstract detach(): (reason: string) => void;
  protected abstract drain(): Promise<void>;
  /** `refused`: the carrier answered and refused, so the next attempt waits longer. */
  protected abstract faultOf(error: Error): { text: string; refused: boolean };

  start(): void {
    void this.#open();
  }

  get bound(): boolean {
    return this.state === 'bound';
  }

  pauseReading(): void {}

  resumeReading(): void {}

  /** Lets pending answers come, then gives the slot back. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.#timer);
    this.#set('stopped', null);
    await this.drain();
    await this.#giveSlot();
  }

  /** Ends a bound link; the next attempt follows soon. */
  protected drop(reason: string, pauseMs?: number): void {
    const end = this.detach();
    if (this.state === 'connecting' || this.state === 'down') return;
    this.errors.note(reason);
    this.#set('down', reason);
    end(reason);
    this.#again(pauseMs ?? backoffMs(this.#failures++, 200, 2_000));
  }

  async #open(): Promise<void> {
    if (this.isStopped) return;
    this.slotLost = false;
    const free = await this.#locks.take(this.carrier.id, this.slot, () => {
      this.slotLost = true;
      this.drop('the slot was taken by another process');
    });
    this.#hasSlot = free;
    if (this.isStopped) return this.#giveSlot();
    if (!free) {
      this.#set('waiting for slot', null);
      return this.#again(slotRetryMs);
    }
    this.#set('connecting', this.lastError);
    try {
      await this.connect();
      this.#failures = 0;
      this.#set('bound', null);
      this.events.onRoom();
    } catch (error) {
      this.#failed(error as Error);
    }
  }

  #failed(error: Error): void {
    const { text, refused } = this.faultOf(error);
    this.detach()(text);
    if (this.isStopped) return;
    if (this.#failures % 10 === 0)
      this.log.warn({ carrier: this.carrier.name, slot: this.slot, error: text }, 'link not bound');
    this.errors.note(text);
    this.#set('down', text);
    const max = this.#failures < patientAfter ? 2_000 : 30_000;
    this.#again(refused ? refusedPauseMs : backoffMs(Math.min(this.#failures, 10), 200, max));
    this.#failures++;
  }

  /** Releases the slot only if this link took it: another link may have it by now. */
  async #giveSlot(): Promise<void> {
    if (this.#hasSlot) await this.#locks.give(this.carrier.id, this.slot);
    this.#hasSlot = false;
  }

  #again(pauseMs: number): void {
    clearTimeout(this.#timer);
    if (!this.isStopped) this.#timer = setTimeout(() => void this.#open(), pauseMs);
  }

  #set(state: LinkState, error: string | null): void {
    if (this.state !== state) this.since = new Date();
    this.state = state;
    this.lastError = error;
    this.events.onState(this);
  }
}
