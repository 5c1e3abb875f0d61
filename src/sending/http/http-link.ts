// One slot of a carrier over HTTP: as many requests at once as the window has places, each of them one message. "Bound" means
// that the carrier was reached and, where it wants one, gave a token. The first message after that goes alone: only when an
// answer was understood is the window open, and three answers in a row that no rule knows close the link, because each of
// them may be a message that a campaign never sends again.

import type { CarrierWithPassword } from '../../carriers/carriers.ts';
import type { Log } from '../../log.ts';
import { backoffMs } from '../../time/backoff.ts';
import { monotonicMs } from '../../time/clock.ts';
import type { LinkEvents } from '../links/link.ts';
import { LinkBase } from '../links/link-base.ts';
import type { Slots } from '../links/slot-locks.ts';
import type { Outgoing } from '../links/submit.ts';
import { type Outcome, Peer } from './exchange.ts';
import { judge } from './rules.ts';
import type { HttpSubmit } from './template.ts';
import { Token, TokenRefused } from './token.ts';

const drainMs = 4_000;
const wordsMax = 160;
const unknownsMax = 3;
const answerSeconds = 10;
const fruitlessPauseMs = 60_000;
/** A request that is known to be sent once only, however often it is made. */
const repeatsMax = 3;
/** A pause that the carrier asks for: this long it is waited for, longer the messages are another's, if there is one. */
const waitedForMaxMs = 5_000;
const pauseMaxMs = 300_000;

type Answer = Extract<Outcome, { kind: 'answer' }>;

export class HttpLink<T> extends LinkBase<T> {
  readonly #peer: Peer | null;
  readonly #token: Token | null;
  readonly #flying = new Set<T>();
  #isProven = false;
  /** How often it was up without one answer that was understood. */
  #fruitless = 0;
  #unknowns = 0;
  #answeredAt = 0;
  #leftAlone: NodeJS.Timeout | undefined;
  #whenEmpty: (() => void) | undefined;

  constructor(carrier: CarrierWithPassword, slot: number, events: LinkEvents<T>, locks: Slots, log: Log) {
    super(carrier, slot, events, locks, log);
    this.#peer = carrier.definition && peerOf(carrier, carrier.windowSize);
    this.#token = this.#peer && new Token(carrier, this.#peer);
  }

  get windowUsed(): number {
    return this.#flying.size;
  }

  room(wanted: number): number {
    if (this.state !== 'bound' || this.#leftAlone) return 0;
    const places = (this.#isProven ? this.carrier.windowSize : 1) - this.#flying.size;
    return places <= 0 ? 0 : this.pace.available(Math.min(wanted, places));
  }

  submit(message: Outgoing, token: T): boolean {
    if (Buffer.isBuffer(message) || !this.#peer || this.room(1) < 1) return false;
    const access = this.#token!.current;
    if (access === null) {
      this.drop('the token has expired');
      return false;
    }
    this.#flying.add(token);
    this.pace.take(1);
    this.counts.submitted++;
    void this.#send(this.#peer, message, access).then(outcome => this.#heard(message, token, outcome));
    return true;
  }

  protected async connect(): Promise<void> {
    if (!this.#peer) throw new Error(`there is no definition "${this.carrier.preset ?? ''}"`);
    await this.#peer.reach();
    await this.#token!.ask();
    if (this.isStopped) throw new Error('stopped');
    if (this.slotLost) throw new Error('the slot was taken by another process');
    this.#isProven = false;
    this.#unknowns = 0;
    this.#answeredAt = monotonicMs();
  }

  /** Requests under way have their own time and are heard to their end. */
  protected detach(): () => void {
    return () => {};
  }

  protected faultOf(error: Error): { text: string; refused: boolean } {
    return { text: this.#masked(error.message), refused: error instanceof TokenRefused };
  }

  protected async drain(): Promise<void> {
    clearTimeout(this.#leftAlone);
    if (this.#flying.size > 0) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>(done => {
        this.#whenEmpty = done;
        timer = setTimeout(done, drainMs);
      });
      clearTimeout(timer);
    }
    this.#peer?.close();
    // What was cut off is told as lost before the link counts as stopped.
    while (this.#flying.size > 0) await new Promise(resolve => setImmediate(resolve));
  }

  async #send(peer: Peer, message: HttpSubmit, access: string): Promise<Outcome> {
    const request = message.request(access);
    const mayWrite = () => this.events.mayWrite();
    for (let repeats = 0; ; repeats++) {
      const outcome = await peer.ask(request, mayWrite);
      const isOver = outcome.kind !== 'unknown' || !this.carrier.definition!.idempotent || this.isStopped;
      if (isOver || repeats >= repeatsMax) return outcome;
    }
  }

  #heard(message: HttpSubmit, token: T, outcome: Outcome): void {
    if (outcome.kind === 'answer') this.#answered(message, token, outcome);
    else if (outcome.kind === 'unknown') this.#lost(token, outcome.error, outcome.isSilent === true);
    else {
      const words = this.#masked(outcome.error);
      this.events.onRefused(this, token, { kind: 'link' }, words);
      this.#downOnce(words);
    }
    this.#flying.delete(token);
    if (this.#flying.size === 0) this.#whenEmpty?.();
    this.events.onRoom();
  }

  #answered(message: HttpSubmit, token: T, { status, body, retryAfterMs }: Answer): void {
    this.#answeredAt = monotonicMs();
    const { definition } = this.carrier;
    if (status === 401 && definition!.auth.kind === 'token') return this.#tokenRefused(token);
    const judged = judge(definition!, status, body, message.ownId);
    if (judged.kind === 'unknown') return this.#lost(token, judged.words, false);
    this.#isProven = true;
    this.#fruitless = 0;
    this.#unknowns = 0;
    if (judged.kind === 'sent') return this.events.onAccepted(this, token, judged.id);
    const words = this.#masked(judged.words);
    if (judged.kind === 'refused') {
      if (judged.verdict.kind !== 'failed') this.#leaveAlone(retryAfterMs, words);
      return this.events.onRefused(this, token, judged.verdict, words);
    }
    this.events.onRefused(this, token, { kind: 'link' }, words);
    this.events.onTrouble(this, words);
    this.#downOnce(words);
  }

  #leaveAlone(ms: number, words: string): void {
    if (ms === 0 || this.#leftAlone || this.state !== 'bound') return;
    if (ms > waitedForMaxMs) return this.drop(words, Math.min(ms, pauseMaxMs));
    this.#leftAlone = setTimeout(() => {
      this.#leftAlone = undefined;
      this.events.onRoom();
    }, ms);
  }

  #tokenRefused(token: T): void {
    this.#token!.forget();
    this.events.onRefused(this, token, { kind: 'link' }, 'the token was refused');
    this.#downOnce('the token was refused');
  }

  /** It may be on the air. */
  #lost(token: T, why: string, isSilent: boolean): void {
    const words = this.#masked(why);
    this.noteError(words);
    this.events.onLost(this, token);
    this.#unknowns++;
    const isGone = isSilent && monotonicMs() - this.#answeredAt >= answerMs(this.carrier);
    if (isGone || !this.#isProven || this.#unknowns >= unknownsMax) this.#downOnce(words);
  }

  /** A window full of failures is one failure. */
  #downOnce(reason: string): void {
    if (this.state !== 'bound') return;
    this.drop(reason, this.#isProven ? undefined : backoffMs(this.#fruitless++, 1_000, fruitlessPauseMs));
  }

  /** A carrier may repeat in its answer what it was given. */
  #masked(words: string): string {
    let masked = words;
    for (const secret of Object.values(this.carrier.secrets))
      if (secret.length >= 4) masked = masked.replaceAll(secret, '***');
    return masked.slice(0, wordsMax);
  }
}

export function peerOf(carrier: CarrierWithPassword, window: number): Peer {
  const { baseUrl, definition, tlsVerify, isPrivate } = carrier;
  return new Peer({ url: baseUrl || definition!.url, tlsVerify, isPrivate, window, timeoutMs: answerMs(carrier) });
}

function answerMs({ definition }: CarrierWithPassword): number {
  return (definition?.answer.seconds ?? answerSeconds) * 1_000;
}
