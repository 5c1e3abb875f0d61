// The events of one address that a process has in hand: which may go out now, which wait behind an earlier event of
// the same message, and what has to be recorded. No database and no sockets here. The rule of order: an event of a
// message is not posted before its predecessor's success (or its giving up) is recorded. Waiting for the record, some
// 30 ms, means that even a killed process never repeats an event after its successor.
import type { DeliveryState, EventKind } from './events.ts';
import type { Failure } from './failures.ts';
import { afterFailure, afterSuccess, freshHealth, type Health, isProbing, paused } from './health.ts';
import type { Endpoint, Outcome } from './post.ts';
import { nextAttemptMs } from './schedule.ts';

/**
 * A loaded row of the outbox: `open` are the positions below `upto` that are not settled yet, in order; `settled` are events
 * that ended but are not recorded yet.
 */
export type Fold = {
  outboxId: number;
  total: number;
  upto: number;
  stored: number;
  open: Set<number>;
  settled: WebhookEvent[];
};

export type WebhookEvent = {
  outboxId: number;
  subjectId: number;
  kind: EventKind;
  event: string;
  orderId: number | null;
  body: string;
  createdMs: number;
  expiresMs: number;
  attempts: number;
  /** Its position in a folded row; null for a retry, which is a row of its own. */
  fold: Fold | null;
  at: number;
};

type Signed = { atSeconds: number; signature: string };

export type Result = {
  event: WebhookEvent;
  state: DeliveryState;
  attempts: number;
  /** null: waits behind an earlier event. */
  nextMs: number | null;
  atMs: number | null;
  signed: Signed | null;
  outcome: Outcome | null;
};

export type Settings = {
  url: string;
  inbound: boolean;
  /** Events of kinds that the address did not choose. */
  skipped: string[];
  secret: string;
  previous: string | null;
  previousUntilMs: number;
};

const limitFirst = 4;
const limitMax = 16;
// Successes of the first attempt are kept for the panel only this many times a second, because a row for each would cost more
// than the post.
const keptPerSecond = 10;

export class Stream {
  /** The key of the address (migrations/0174_baseline.sql): the account itself for its first one. */
  readonly accountId: number;
  readonly token: number;
  readonly folds = new Map<number, Fold>();
  health: Health;
  settings: Settings | null = null;
  endpoint: Endpoint | null = null;
  deadlineMs: number;
  renewedMs = 0;
  /** When the tables last had nothing for this account. */
  foundNothingMs = Number.NEGATIVE_INFINITY;
  usedMs: number;
  inFlight = 0;
  /** Set when the lease is lost: late results are ignored. */
  lost = false;
  recovered = false;
  changed = false;
  private limit = limitFirst;
  private probeReady: boolean;
  private queue: WebhookEvent[] = [];
  private head = 0;
  /** Messages with an event in flight, and the events that wait for it. */
  private readonly busy = new Map<number, WebhookEvent[]>();
  /** Messages whose earlier event failed under this lease. */
  private readonly unresolved = new Set<number>();
  private readonly retriesInHand = new Set<string>();
  private results: Result[] = [];
  private waiting = 0;
  private kept = { second: 0, count: 0 };

  constructor(accountId: number, token: number, deadlineMs: number, monotonicMs: number, health: Health) {
    this.accountId = accountId;
    this.token = token;
    this.deadlineMs = deadlineMs;
    this.usedMs = monotonicMs;
    this.health = health;
    this.probeReady = isProbing(health);
  }

  get queued(): number {
    return this.queue.length - this.head;
  }

  get retries(): number {
    return this.retriesInHand.size;
  }

  get unrecorded(): boolean {
    return this.changed || this.results.length > 0;
  }

  get isEmpty(): boolean {
    return this.inFlight === 0 && this.queued === 0 && this.results.length === 0 && this.folds.size === 0;
  }

  /** Only probes are allowed and none is due: nothing to do until later. */
  get isResting(): boolean {
    return isProbing(this.health) && !this.probeReady && this.inFlight === 0;
  }

  /** How many more events this account may load, of a fair share `budget`. */
  room(budget: number): number {
    if (this.settings === null || this.settings.url === '') return 0;
    if (isProbing(this.health)) return this.probeReady && this.queued === 0 && this.inFlight === 0 ? 1 : 0;
    return Math.max(0, budget - this.queued - this.waiting);
  }

  addSlice(outboxId: number, total: number, upto: number): Fold {
    const fold = this.folds.get(outboxId) ?? {
      outboxId,
      total,
      upto: 0,
      stored: 0,
      open: new Set<number>(),
      settled: [],
    };
    fold.upto = upto;
    this.folds.set(outboxId, fold);
    this.changed = true;
    return fold;
  }

  add(event: WebhookEvent, held: boolean): void {
    event.fold?.open.add(event.at);
    if (held) this.block(event);
    else this.queue.push(event);
  }

  /** Adds a retry from the table, unless it is loaded already. */
  addRetry(event: WebhookEvent): void {
    const key = keyOf(event);
    if (this.retriesInHand.has(key)) return;
    this.retriesInHand.add(key);
    this.queue.push(event);
  }

  canLaunch(monotonicMs: number): boolean {
    if (this.lost || this.queued === 0 || monotonicMs >= this.deadlineMs || !this.endpoint) return false;
    return isProbing(this.health) ? this.probeReady && this.inFlight === 0 : this.inFlight < this.limit;
  }

  /** Returns the next event to post and marks it as in flight. */
  take(): WebhookEvent | null {
    while (this.queued > 0) {
      const event = this.shift();
      if (isOrdered(event)) {
        const waiting = this.busy.get(event.subjectId);
        if (waiting) {
          waiting.push(event);
          this.waiting++;
          continue;
        }
        if (event.fold && this.unresolved.has(event.subjectId)) {
          this.block(event);
          continue;
        }
        this.busy.set(event.subjectId, []);
      }
      this.inFlight++;
      this.probeReady = false;
      return event;
    }
    return null;
  }

  /** `counts`: false if the address was changed meanwhile, so that the result says nothing about the new one. */
  complete(event: WebhookEvent, outcome: Outcome, signed: Signed, timeMs: number, counts: boolean): void {
    this.inFlight--;
    if (counts) this.observe(outcome, timeMs);
    const attempts = event.attempts + 1;
    const nextMs =
      outcome.failure === null || event.kind === 'test' ? null : nextAttemptMs(attempts, event.expiresMs, timeMs);
    const state = outcome.failure === null ? 'delivered' : nextMs === null ? 'given-up' : 'pending';
    if (state !== 'delivered' || attempts > 1 || !event.fold || this.keeps(timeMs))
      this.results.push({ event, state, attempts, nextMs: nextMs ?? timeMs, atMs: timeMs, signed, outcome });
    event.fold?.open.delete(event.at);
    this.changed = true;
    if (!isOrdered(event)) return;
    if (state === 'pending') this.release(event, true);
    else event.fold?.settled.push(event);
  }

  /** Everything to be recorded now; later results go into the next batch. */
  capture(): Result[] {
    const captured = this.results;
    this.results = [];
    this.changed = false;
    return captured;
  }

  recorded(results: Result[], folds: { fold: Fold; done: number }[]): void {
    for (const { event, state } of results) {
      if (event.fold) continue;
      this.retriesInHand.delete(keyOf(event));
      if (state !== 'pending' && isOrdered(event)) this.release(event, false);
    }
    for (const { fold, done } of folds) {
      fold.stored = done;
      const settled = fold.settled;
      fold.settled = settled.filter(event => event.at >= done);
      for (const event of settled) if (event.at < done) this.release(event, false);
      if (done === fold.total) this.folds.delete(fold.outboxId);
    }
  }

  restore(results: Result[]): void {
    this.results = results.concat(this.results);
    this.changed = true;
  }

  /** Another URL is another endpoint: its past failures do not count. */
  forgive(): void {
    this.recovered = isProbing(this.health);
    this.health = freshHealth;
    this.limit = limitFirst;
    this.changed = true;
  }

  pause(reason: Failure, timeMs: number): void {
    this.health = paused(this.health, reason, timeMs);
    this.probeReady = false;
    this.changed = true;
  }

  private observe({ failure, status }: Outcome, timeMs: number): void {
    if (failure === null) {
      if (isProbing(this.health)) this.recovered = true;
      this.health = afterSuccess(timeMs);
      this.limit = Math.min(limitMax, this.limit + 1);
    } else {
      this.health = afterFailure(this.health, failure, timeMs, status);
      this.limit = Math.max(1, this.limit >> 1);
    }
  }

  private release(event: WebhookEvent, failed: boolean): void {
    const waiting = this.busy.get(event.subjectId) ?? [];
    this.busy.delete(event.subjectId);
    this.waiting -= waiting.length;
    if (failed) this.unresolved.add(event.subjectId);
    else this.unresolved.delete(event.subjectId);
    for (const next of waiting.reverse()) {
      if (failed) this.block(next);
      else this.unshift(next);
    }
  }

  private block(event: WebhookEvent): void {
    this.results.push({
      event,
      state: 'pending',
      attempts: event.attempts,
      nextMs: null,
      atMs: null,
      signed: null,
      outcome: null,
    });
    event.fold?.open.delete(event.at);
    this.changed = true;
  }

  private keeps(timeMs: number): boolean {
    const second = Math.floor(timeMs / 1000);
    if (this.kept.second !== second) this.kept = { second, count: 0 };
    return this.kept.count++ < keptPerSecond;
  }

  private shift(): WebhookEvent {
    const event = this.queue[this.head++]!;
    if (this.head > 256 && this.head * 2 > this.queue.length) {
      this.queue = this.queue.slice(this.head);
      this.head = 0;
    }
    return event;
  }

  private unshift(event: WebhookEvent): void {
    if (this.head > 0) this.queue[--this.head] = event;
    else this.queue.unshift(event);
  }
}

/** How far a folded row is settled without a gap. */
export function settledTo(fold: Fold): number {
  for (const first of fold.open) return first;
  return fold.upto;
}

function keyOf(event: WebhookEvent): string {
  return `${event.outboxId}-${event.subjectId}`;
}

function isOrdered(event: WebhookEvent): boolean {
  return event.kind === 'accepted' || event.kind === 'final';
}
