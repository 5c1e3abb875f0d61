// One slot of a carrier over HTTP: up to a window of messages at once. A request has one message, or several if the description allows it
// (`batch`). "Bound" means that the carrier was reached, and gave a token if it uses them. The first message goes alone: the window opens
// after a valid answer. Three unknown answers in a row close the link, because each may lose a message of a campaign.

import { setTimeout as pause } from 'node:timers/promises';
import type { CarrierWithPassword } from '../../carriers/carriers.ts';
import type { RequestShape } from '../../carriers/http/definition.ts';
import type { Values } from '../../carriers/http/placeholders.ts';
import { type Exchange, HttpClient } from '../../http-client/http-client.ts';
import { retryAfterMs } from '../../http-client/retry-after.ts';
import { backoffMs } from '../../time/backoff.ts';
import { monotonicMs } from '../../time/clock.ts';
import { Link, type LinkParts } from '../links/link.ts';
import type { Outgoing } from '../links/submit.ts';
import { makeRequest } from './request.ts';
import { type Judged, judge } from './rules.ts';
import { type HttpSubmit, secretValues } from './template.ts';
import { Token, TokenRefused } from './token.ts';

const drainMs = 4_000;
const drainLookMs = 10;
const wordsMax = 160;
const phoneLike = /\+?\d(?:[ ().-]{0,2}\d){7,}/g;
const unknownsMax = 3;
const answerSeconds = 10;
const failedBindPauseMs = 60_000;
/** Repeats of a request that the carrier deduplicates. */
const repeatsMax = 3;
/** If the carrier demands a longer pause, its messages go to another carrier, if there is one. */
const waitedForMaxMs = 5_000;
const pauseMaxMs = 300_000;

type Flight<T> = { message: HttpSubmit; token: T };

export class HttpLink<T> extends Link<T> {
  readonly #client: HttpClient | null;
  readonly #token: Token | null;
  readonly #flying = new Set<T>();
  /** Waiting for the end of this turn of the event loop, so that messages submitted together share requests. */
  readonly #gathered = new Map<string, Flight<T>[]>();
  #isProven = false;
  /** How often the link was bound without one valid answer. */
  #failedBinds = 0;
  #unknowns = 0;
  #answeredAt = 0;
  #leftAlone: NodeJS.Timeout | undefined;

  constructor(carrier: CarrierWithPassword, slot: number, parts: LinkParts<T>) {
    super(carrier, slot, parts);
    this.#client = carrier.definition && clientOf(carrier);
    this.#token = this.#client && new Token(carrier, this.#client);
  }

  get windowUsed(): number {
    return this.#flying.size;
  }

  room(wanted: number): number {
    if (this.state !== 'bound' || this.#leftAlone) return 0;
    const room = (this.#isProven ? this.carrier.windowSize : 1) - this.#flying.size;
    return room <= 0 ? 0 : this.pace.available(Math.min(wanted, room));
  }

  submit(message: Outgoing, token: T): boolean {
    if (Buffer.isBuffer(message) || !this.#client || this.room(1) < 1) return false;
    const access = this.#token!.current;
    if (access === null) {
      this.drop('the token has expired');
      return false;
    }
    this.#flying.add(token);
    this.pace.take(1);
    this.counts.submitted++;
    const group = this.carrier.definition!.batch ? message.group : '';
    if (group === '') this.#send(this.#client, [{ message, token }], access);
    else this.#gather(this.#client, group, { message, token }, access);
    return true;
  }

  #gather(client: HttpClient, group: string, one: Flight<T>, access: string): void {
    const waiting = this.#gathered.get(group);
    if (waiting) return void waiting.push(one);
    const flights = [one];
    this.#gathered.set(group, flights);
    setImmediate(() => {
      this.#gathered.delete(group);
      const { size } = this.carrier.definition!.batch!;
      for (let i = 0; i < flights.length; i += size) this.#send(client, flights.slice(i, i + size), access);
    });
  }

  /** A request besides messages: a poll for receipts. Throws if it fails. */
  async ask(shape: RequestShape, given: Values, ids: string[]): Promise<string> {
    const { auth } = this.carrier.definition!;
    const values = { ...secretValues(this.carrier), ...given, token: await this.#token!.ask() };
    const { failure, status, body } = await this.#client!.ask(makeRequest(shape, auth, values, { ids }));
    if (failure) throw new Error(failure.text);
    if (status === 401) this.#token!.forget();
    if (status >= 300) throw new Error(`HTTP ${status}`);
    return body.toString();
  }

  protected async connect(): Promise<void> {
    if (!this.#client) throw new Error(`carrier ${this.carrier.name} has no definition: set its preset or definition`);
    await this.#client.reach();
    await this.#token!.ask();
    if (this.isStopped) throw new Error('stopped');
    if (this.slotLost) throw new Error('the slot was taken by another process');
    this.#isProven = false;
    this.#unknowns = 0;
    this.#answeredAt = monotonicMs();
  }

  /** Requests in flight have their own time limit and end by themselves. */
  protected detach(): () => void {
    return () => {};
  }

  protected faultOf(error: Error): { text: string; refused: boolean } {
    return { text: this.#masked(error.message), refused: error instanceof TokenRefused };
  }

  protected async drain(): Promise<void> {
    clearTimeout(this.#leftAlone);
    const untilMs = monotonicMs() + drainMs;
    while (this.#flying.size > 0 && monotonicMs() < untilMs) await pause(drainLookMs);
    this.#client?.close();
    // Requests that were cut off are reported as lost before the link counts as stopped.
    while (this.#flying.size > 0) await new Promise(resolve => setImmediate(resolve));
  }

  #send(client: HttpClient, flights: Flight<T>[], access: string): void {
    void this.#exchange(client, flights, access).then(exchange => this.#ended(client, flights, access, exchange));
  }

  async #exchange(client: HttpClient, flights: Flight<T>[], access: string): Promise<Exchange> {
    const { batch, idempotent } = this.carrier.definition!;
    const each = batch && flights.map(one => one.message.entry);
    const request = flights[0]!.message.request(access, each);
    const mayWrite = () => this.events.mayWrite();
    for (let repeats = 0; ; repeats++) {
      const exchange = await client.ask(request, mayWrite);
      const mayRepeat = exchange.failure && exchange.isWritten && idempotent;
      if (!mayRepeat || this.isStopped || repeats >= repeatsMax) return exchange;
    }
  }

  #ended(client: HttpClient, flights: Flight<T>[], access: string, exchange: Exchange): void {
    const { failure, isWritten } = exchange;
    if (!failure) {
      if (this.#answered(flights, exchange) === 'halve') {
        // The carrier refused the whole request: it is sent again in halves, until the refused message is alone.
        const middle = Math.ceil(flights.length / 2);
        for (const half of [flights.slice(0, middle), flights.slice(middle)]) this.#send(client, half, access);
        return;
      }
    } else if (isWritten) this.#lost(flights, failure.text, failure.reason === 'timeout');
    else this.#givenBack(flights, this.#masked(failure.text));
    for (const { token } of flights) this.#flying.delete(token);
    this.events.onRoom();
  }

  #answered(flights: Flight<T>[], { status, body, headers }: Exchange): 'halve' | undefined {
    this.#answeredAt = monotonicMs();
    const definition = this.carrier.definition!;
    if (status === 401 && definition.auth.kind === 'token') {
      this.#token!.forget();
      return this.#givenBack(flights, 'the token was refused');
    }
    const messages = flights.map(one => one.message);
    const judged = judge(definition, status, body.toString(), messages);
    if (judged === 'halve') return judged;
    const unknown = flights.filter((_, i) => judged[i]!.kind === 'unknown');
    const [first] = judged.flatMap(one => (one.kind === 'unknown' ? one.words : []));
    if (unknown.length < flights.length) {
      this.#isProven = true;
      this.#failedBinds = 0;
      this.#unknowns = 0;
    }
    for (const [i, { token }] of flights.entries()) this.#judged(token, judged[i]!, headers['retry-after']);
    if (first !== undefined) this.#lost(unknown, first, false);
    const trouble = judged.find(one => one.kind === 'account');
    if (trouble?.kind !== 'account') return;
    this.events.onTrouble(this, this.#masked(trouble.words));
    this.#downOnce(this.#masked(trouble.words));
  }

  #judged(token: T, judged: Judged, retryAfter: string | undefined): void {
    if (judged.kind === 'sent') return this.events.onAccepted(this, token, judged.id);
    if (judged.kind === 'unknown') return;
    const words = this.#masked(judged.words);
    const verdict = judged.kind === 'account' ? ({ kind: 'link' } as const) : judged.verdict;
    if (judged.kind === 'refused' && verdict.kind !== 'failed') this.#leaveAlone(retryAfterMs(retryAfter), words);
    this.events.onRefused(this, token, verdict, words);
  }

  /** Nothing was written, or nothing was accepted: the messages are sent again. */
  #givenBack(flights: Flight<T>[], words: string): undefined {
    for (const { token } of flights) this.events.onRefused(this, token, { kind: 'link' }, words);
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

  /** The messages may be on the air. One answer counts once, however many messages it covers. */
  #lost(flights: Flight<T>[], why: string, isSilent: boolean): void {
    const words = this.#masked(why);
    this.errors.note(words);
    for (const { token } of flights) this.events.onLost(this, token, true);
    this.#unknowns++;
    const isGone = isSilent && monotonicMs() - this.#answeredAt >= answerMs(this.carrier);
    if (isGone || !this.#isProven || this.#unknowns >= unknownsMax) this.#downOnce(words);
  }

  /** Counts the failures of one window as one. */
  #downOnce(reason: string): void {
    if (this.state !== 'bound') return;
    this.drop(reason, this.#isProven ? undefined : backoffMs(this.#failedBinds++, 1_000, failedBindPauseMs));
  }

  /** Masks our secrets and phone numbers, which a carrier may repeat in its answer: its words are kept for staff. */
  #masked(words: string): string {
    let masked = words;
    for (const secret of Object.values(this.carrier.secrets))
      if (secret.length >= 4) masked = masked.replaceAll(secret, '***');
    return masked.replace(phoneLike, '***').slice(0, wordsMax);
  }
}

export function clientOf(carrier: CarrierWithPassword): HttpClient {
  const { baseUrl, definition, tlsVerify, isPrivate } = carrier;
  // The window and a poll for receipts.
  const most = carrier.windowSize + 1;
  // A request on an idle connection that the carrier closes at that moment may have been read, so idle connections are closed after 3 s,
  // before common servers close them (5 s and more).
  const agent = { maxSockets: most, maxFreeSockets: most, timeout: 3_000 };
  const url = baseUrl || definition!.url;
  return new HttpClient({ url, tlsVerify, allowPrivate: isPrivate, agent, timeoutMs: answerMs(carrier) });
}

function answerMs({ definition }: CarrierWithPassword): number {
  return (definition?.answer.seconds ?? answerSeconds) * 1_000;
}
