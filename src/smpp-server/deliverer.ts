// Delivers receipts and messages from phones to the users that are bound to this process. Rows are taken from the database a
// little ahead and spread over the binds of their user. A place in a bind's window is free again only when the outcome is stored,
// so a crash leaves at most the windows in doubt, which are sent again after a rebind.
import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from '../db/db.ts';
import type { Log } from '../log.ts';
import { type Loop, startLoop } from '../loops/loop.ts';
import { smppDeliveriesTotal } from '../metrics/metrics.ts';
import type { Session } from '../smpp/session.ts';
import { statusName } from '../smpp/status.ts';
import { backoffMs } from '../time/backoff.ts';
import { monotonicMs } from '../time/clock.ts';
import { deliverBody } from './deliver-body.ts';
import { countRefused, type PendingDelivery, postponeDeliveries, removeDeliveries, takeDeliveries } from './outbox.ts';
import { retriedStatuses } from './statuses.ts';

export type Delivery = { pending: PendingDelivery; receiver: Receiver };
/** `againMs` null: it is done; 0: it was not tried. `receiver` null: it holds no place in a window. */
type Outcome = { pending: PendingDelivery; receiver: Receiver | null; againMs: number | null };

/** A bind that receives deliveries. */
export type Receiver = {
  userId: number;
  session: Session<Delivery>;
  window: number;
  /** Sent, with an outcome that is not stored yet. */
  inFlight: number;
  counts: { receipts: number };
  error(text: string): void;
};

const idleMs = 100;
const aheadMax = 500;
const retry = { baseMs: 1_000, maxMs: 300_000 };
/** A deliver_sm without an answer may have been taken, so it is not repeated soon. */
const silentMs = 30_000;
const againMs = 500;
const stopMaxMs = 3_000;

export class Deliverer {
  readonly #db: Db;
  readonly #log: Log;
  /** Null while others may have taken over what this process holds: then nothing is sent. */
  readonly #nodeId: () => number | null;
  readonly #receivers = new Set<Receiver>();
  readonly #taken = new Map<number, PendingDelivery[]>();
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

  /** Called after the session closed and everything in flight was reported lost. */
  remove(receiver: Receiver): void {
    this.#receivers.delete(receiver);
    const { userId } = receiver;
    if (this.#receives(userId)) return;
    const left = this.#taken.get(userId) ?? [];
    this.#taken.delete(userId);
    for (const pending of left) this.#note({ pending, receiver: null }, 0);
  }

  answered(delivery: Delivery, status: number): void {
    const { pending, receiver } = delivery;
    if (status === 0) {
      receiver.counts.receipts++;
      smppDeliveriesTotal.inc({ outcome: 'taken' });
      return this.#note(delivery, null);
    }
    receiver.error(`deliver_sm: ${statusName(status)}`);
    const isRetried = retriedStatuses.has(status);
    smppDeliveriesTotal.inc({ outcome: isRetried ? 'put off' : 'refused' });
    if (isRetried) return this.#note(delivery, Math.round(backoffMs(pending.tries, retry.baseMs, retry.maxMs)));
    this.#note(delivery, null);
    void countRefused(this.#db, pending.userId).catch(() => {});
  }

  lost(delivery: Delivery, why: 'closed' | 'timeout' | 'unwritten'): void {
    smppDeliveriesTotal.inc({ outcome: 'lost' });
    this.#note(delivery, why === 'timeout' ? silentMs : 0);
  }

  /** An answer after the time limit: the delivery need not be repeated. */
  lateAnswer({ pending }: Delivery, status: number): void {
    if (status === 0) this.#note({ pending, receiver: null }, null);
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
    const found = await takeDeliveries(this.#db, nodeId, wanted);
    for (const pending of found) this.#keep(pending);
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
        this.#deliver(line[sent++]!, receiver);
      }
      if (sent === line.length) this.#taken.delete(userId);
      else if (sent > 0) line.splice(0, sent);
    }
  }

  #deliver(pending: PendingDelivery, receiver: Receiver): void {
    const delivery = { pending, receiver };
    const body = deliverBody(pending);
    receiver.inFlight++;
    if (body === null) this.#note(delivery, null);
    else if (!receiver.session.deliver(body, delivery)) this.#note(delivery, 0);
  }

  /** The bind of this user with the most room, so that deliveries are spread evenly. */
  #freest(userId: number): Receiver | undefined {
    let best: Receiver | undefined;
    for (const one of this.#receivers) {
      if (one.userId !== userId || one.inFlight >= one.window || one.session.room() === 0) continue;
      if (!best || one.inFlight < best.inFlight) best = one;
    }
    return best;
  }

  /** Outcomes are stored in batches; then their places in the windows are free. */
  #note({ pending, receiver }: Omit<Outcome, 'againMs'>, againMs: number | null): void {
    this.#outcomes.push({ pending, receiver, againMs });
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
    const late = batch.flatMap(({ pending: { id }, againMs }) => (againMs === null ? [] : { id, ms: againMs }));
    const done = batch.filter(one => one.againMs === null).map(one => one.pending.id);
    try {
      if (late.length > 0) await postponeDeliveries(this.#db, this.#sureId(), late);
      await removeDeliveries(this.#db, done);
    } catch (error) {
      // The rows still belong to this process, so no other sends them; storing an outcome twice changes nothing.
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
    if (nodeId === null) throw new Error('the heartbeat of this process is too old');
    return nodeId;
  }

  /** Queues a delivery of a user, who may have unbound meanwhile. */
  #keep(pending: PendingDelivery): void {
    const { userId } = pending;
    if (!this.#receives(userId)) return this.#note({ pending, receiver: null }, 0);
    const line = this.#taken.get(userId);
    if (line) line.push(pending);
    else this.#taken.set(userId, [pending]);
  }

  #receives(userId: number): boolean {
    for (const one of this.#receivers) if (one.userId === userId) return true;
    return false;
  }
}
