// Receipts and messages from phones on their way to the users that are bound here. Rows are taken from storage a little ahead of
// need and spread over the binds of their user. A place in a bind's window is free again only when storage knows that it was told:
// what a crash leaves in doubt, and is sent again after a rebind, is therefore never more than the windows.
import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from '../db/db.ts';
import type { Log } from '../log.ts';
import { type Loop, startLoop } from '../loops/loop.ts';
import type { Session } from '../smpp/session.ts';
import { statusName } from '../smpp/status.ts';
import { backoffMs } from '../time/backoff.ts';
import { monotonicMs } from '../time/clock.ts';
import { deliverBody } from './deliver-body.ts';
import { countRefused, endOwed, freeOwed, type Owed, postponeOwed, takeOwed } from './outbox.ts';
import { smppCounts } from './server-metrics.ts';
import { retriedStatuses } from './statuses.ts';

export type Delivery = { owed: Owed; receiver: Receiver };
/** Told, free for others, or to be tried again after so many ms. `receiver` null: it holds no place in a window. */
type Outcome = { owed: Owed; receiver: Receiver | null; end: 'told' | 'free' | number };

/** A bind that may be handed messages. */
export type Receiver = {
  userId: number;
  session: Session<Delivery>;
  window: number;
  /** Sent and not yet known to storage as told. */
  inFlight: number;
  delivered: number;
  error(text: string): void;
};

const idleMs = 100;
const aheadMax = 500;
const retry = { baseMs: 1_000, maxMs: 300_000 };
/** A deliver_sm without an answer may have been taken: it is not hurried. */
const silentMs = 30_000;
const againMs = 500;
const stopMaxMs = 3_000;

export class Deliverer {
  readonly #db: Db;
  readonly #log: Log;
  /** null while this process is not sure to be alive in the eyes of others: then nothing is sent. */
  readonly #nodeId: () => number | null;
  readonly #receivers = new Set<Receiver>();
  readonly #taken = new Map<number, Owed[]>();
  #loop: Loop | null = null;
  #outcomes: Outcome[] = [];
  #storing: Promise<void> | null = null;

  constructor(db: Db, log: Log, nodeId: () => number | null) {
    this.#db = db;
    this.#log = log;
    this.#nodeId = nodeId;
  }

  start(): void {
    this.#loop = startLoop('SMPP receipts', this.#log, () => this.#round());
  }

  add(receiver: Receiver): void {
    this.#receivers.add(receiver);
    this.#loop?.wake();
  }

  /** After its session closed: everything in flight was reported lost before. */
  remove(receiver: Receiver): void {
    this.#receivers.delete(receiver);
    const { userId } = receiver;
    if (this.#receives(userId)) return;
    const left = this.#taken.get(userId) ?? [];
    this.#taken.delete(userId);
    for (const owed of left) this.#note({ owed, receiver: null }, 'free');
  }

  answered(delivery: Delivery, status: number): void {
    const { owed, receiver } = delivery;
    if (status === 0) {
      receiver.delivered++;
      smppCounts.delivered('taken');
      return this.#note(delivery, 'told');
    }
    receiver.error(`deliver_sm: ${statusName(status)}`);
    const isRetried = retriedStatuses.has(status);
    smppCounts.delivered(isRetried ? 'put off' : 'refused');
    if (isRetried) return this.#note(delivery, Math.round(backoffMs(owed.tries, retry.baseMs, retry.maxMs)));
    this.#note(delivery, 'told');
    void countRefused(this.#db, owed.userId, 1).catch(() => {});
  }

  lost(delivery: Delivery, why: 'closed' | 'timeout'): void {
    smppCounts.delivered('lost');
    this.#note(delivery, why === 'closed' ? 'free' : silentMs);
  }

  /** After it was put off: it need not be sent again. */
  lateAnswer({ owed }: Delivery, status: number): void {
    if (status === 0) this.#note({ owed, receiver: null }, 'told');
  }

  async stop(): Promise<void> {
    await this.#loop?.stop();
    for (const receiver of [...this.#receivers]) this.remove(receiver);
    const untilMs = monotonicMs() + stopMaxMs;
    while (this.#storing && monotonicMs() < untilMs) await this.#storing;
  }

  async #round(): Promise<number> {
    const nodeId = this.#nodeId();
    if (nodeId === null || this.#receivers.size === 0) return idleMs;
    this.#send();
    const wanted = new Map<number, number>();
    for (const { userId, window } of this.#receivers) {
      const ahead = Math.min(aheadMax, window * 4) - (this.#taken.get(userId)?.length ?? 0);
      if (ahead >= window) wanted.set(userId, Math.max(ahead, wanted.get(userId) ?? 0));
    }
    if (wanted.size === 0) return idleMs;
    const found = await takeOwed(this.#db, nodeId, wanted);
    for (const owed of found) this.#keep(owed);
    this.#send();
    return found.length > 0 ? 0 : idleMs;
  }

  #send(): void {
    if (this.#nodeId() === null) return;
    for (const [userId, line] of this.#taken) {
      let sent = 0;
      while (sent < line.length) {
        const receiver = this.#freest(userId);
        if (!receiver) break;
        this.#hand(line[sent++]!, receiver);
      }
      if (sent === line.length) this.#taken.delete(userId);
      else if (sent > 0) line.splice(0, sent);
    }
  }

  #hand(owed: Owed, receiver: Receiver): void {
    const delivery = { owed, receiver };
    const body = deliverBody(owed);
    receiver.inFlight++;
    if (body === null) this.#note(delivery, 'told');
    else if (!receiver.session.deliver(body, delivery)) this.#note(delivery, 'free');
  }

  /** The bind of this user with the most room, so that all of them carry alike. */
  #freest(userId: number): Receiver | undefined {
    let best: Receiver | undefined;
    for (const one of this.#receivers) {
      if (one.userId !== userId || one.inFlight >= one.window || one.session.room() === 0) continue;
      if (!best || one.inFlight < best.inFlight) best = one;
    }
    return best;
  }

  /** What was answered meanwhile goes to storage together; then its places are free. */
  #note({ owed, receiver }: { owed: Owed; receiver: Receiver | null }, end: Outcome['end']): void {
    this.#outcomes.push({ owed, receiver, end });
    this.#store();
  }

  #store(): void {
    this.#storing ??= new Promise<void>(resolve => setImmediate(resolve))
      .then(() => this.#storeAll())
      .finally(() => {
        this.#storing = null;
        if (this.#outcomes.length > 0) this.#store();
        else this.#loop?.wake();
      });
  }

  async #storeAll(): Promise<void> {
    const batch = this.#outcomes.splice(0);
    const ending = (end: Outcome['end']) => batch.filter(one => one.end === end).map(one => one.owed);
    const late = batch.flatMap(({ owed, end }) => (typeof end === 'number' ? { owed, ms: end } : []));
    try {
      if (late.length > 0) await postponeOwed(this.#db, this.#sureId(), late);
      await endOwed(this.#db, ending('told'));
      const free = ending('free');
      if (free.length > 0) await freeOwed(this.#db, this.#sureId(), free);
    } catch (error) {
      // The rows stay this node's, so nobody sends them meanwhile; what was done twice changes nothing.
      this.#log.warn({ error: (error as Error).message }, 'SMPP outcomes not stored, tried again');
      this.#outcomes.unshift(...batch);
      await wait(againMs);
      return;
    }
    for (const { receiver } of batch) if (receiver) receiver.inFlight--;
    this.#send();
  }

  #sureId(): number {
    const nodeId = this.#nodeId();
    if (nodeId === null) throw new Error('the database has not heard of this process for a while');
    return nodeId;
  }

  /** In the line of what waits for a place in a window of its user, who may have left meanwhile. */
  #keep(owed: Owed): void {
    if (!this.#receives(owed.userId)) return this.#note({ owed, receiver: null }, 'free');
    const line = this.#taken.get(owed.userId);
    if (line) line.push(owed);
    else this.#taken.set(owed.userId, [owed]);
  }

  #receives(userId: number): boolean {
    for (const one of this.#receivers) if (one.userId === userId) return true;
    return false;
  }
}
