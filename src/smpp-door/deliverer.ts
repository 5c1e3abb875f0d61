// Receipts and messages from phones on their way to the users that are bound here. Rows are taken from storage a little ahead of
// need and spread over the binds of their user. A place in a bind's window is free again only when the row is gone from storage:
// what a crash leaves in doubt, and is sent again after a rebind, is therefore never more than the windows.
import { setTimeout as wait } from 'node:timers/promises';
import { backoffMs } from '../backoff.ts';
import { monotonicMs } from '../clock.ts';
import type { Db } from '../db/db.ts';
import type { Log } from '../log.ts';
import { type Loop, startLoop } from '../loop.ts';
import type { Session } from '../smpp/session.ts';
import { statusName } from '../smpp/status.ts';
import { deliverBody } from './deliver-body.ts';
import { doorFigures } from './door-figures.ts';
import { countRefused, endOwed, freeOwed, type Owed, postponeOwed, takeOwed } from './outbox.ts';
import { retriedStatuses } from './statuses.ts';

export type Delivery = { owed: Owed; receiver: Receiver };

/** A bind that may be handed messages. */
export type Receiver = {
  userId: number;
  session: Session<Delivery>;
  window: number;
  /** Sent and not yet gone from storage. */
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
  #done: Delivery[] = [];
  #late: { delivery: Delivery; ms: number }[] = [];
  #freed: Delivery[] = [];
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
    if ([...this.#receivers].some(one => one.userId === userId)) return;
    const left = this.#taken.get(userId) ?? [];
    this.#taken.delete(userId);
    for (const owed of left) this.#freed.push({ owed, receiver: { ...receiver, inFlight: 0 } });
    this.#store();
  }

  answered(delivery: Delivery, status: number): void {
    if (status === 0) {
      delivery.receiver.delivered++;
      doorFigures.delivered('taken');
      this.#done.push(delivery);
    } else {
      delivery.receiver.error(`deliver_sm: ${statusName(status)}`);
      doorFigures.delivered(retriedStatuses.has(status) ? 'put off' : 'refused');
      if (retriedStatuses.has(status))
        this.#late.push({ delivery, ms: Math.round(backoffMs(delivery.owed.tries, retry.baseMs, retry.maxMs)) });
      else {
        this.#done.push(delivery);
        void countRefused(this.#db, delivery.owed.userId, 1).catch(() => {});
      }
    }
    this.#store();
  }

  lost(delivery: Delivery, why: 'closed' | 'timeout'): void {
    doorFigures.delivered('lost');
    if (why === 'closed') this.#freed.push(delivery);
    else this.#late.push({ delivery, ms: silentMs });
    this.#store();
  }

  /** After it was given up: it need not be sent again. */
  lateAnswer(delivery: Delivery, status: number): void {
    if (status === 0) void endOwed(this.#db, [delivery.owed.id]).catch(() => {});
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
    for (const owed of found) {
      const line = this.#taken.get(owed.userId);
      if (line) line.push(owed);
      else this.#taken.set(owed.userId, [owed]);
    }
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
    if (body === null) {
      this.#done.push(delivery);
      this.#store();
    } else if (!receiver.session.deliver(body, delivery)) {
      this.#freed.push(delivery);
      this.#store();
    }
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
  #store(): void {
    this.#storing ??= new Promise<void>(resolve => setImmediate(resolve))
      .then(() => this.#storeAll())
      .finally(() => {
        this.#storing = null;
        if (this.#done.length + this.#late.length + this.#freed.length > 0) this.#store();
        else this.#loop?.wake();
      });
  }

  async #storeAll(): Promise<void> {
    const nodeId = this.#nodeId() ?? 0;
    const [done, late, freed] = [this.#done, this.#late, this.#freed];
    this.#done = [];
    this.#late = [];
    this.#freed = [];
    try {
      if (done.length > 0) await endOwed(this.#db, done.map(idOf));
      if (late.length > 0) await postponeOwed(this.#db, nodeId, late.map(idAndPause));
      if (freed.length > 0) await freeOwed(this.#db, nodeId, freed.map(idOf));
    } catch (error) {
      // The rows stay this node's, so nobody sends them meanwhile; what was done twice changes nothing.
      this.#log.warn({ error: (error as Error).message }, 'SMPP outcomes not stored, tried again');
      this.#done.unshift(...done);
      this.#late.unshift(...late);
      this.#freed.unshift(...freed);
      await wait(againMs);
      return;
    }
    for (const { receiver } of [...done, ...freed, ...late.map(one => one.delivery)]) receiver.inFlight--;
    this.#send();
  }
}

function idOf({ owed }: Delivery): number {
  return owed.id;
}

function idAndPause({ delivery, ms }: { delivery: Delivery; ms: number }) {
  return { id: delivery.owed.id, ms };
}
