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
import { countRefused, endOwed, freeOwed, postponeOwed, releaseBundles, takeOwed } from './outbox.ts';
import type { Bundle, Owed } from './owed.ts';
import { doorFigures } from './server-metrics.ts';
import { retriedStatuses } from './statuses.ts';

export type Delivery = { owed: Owed; receiver: Receiver };
type Late = { delivery: Delivery; ms: number };
/** Not handed over, or lost with its bind; null: it waited for one. */
type Freed = { owed: Owed; receiver: Receiver | null };

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
  #done: Delivery[] = [];
  #late: Late[] = [];
  #freed: Freed[] = [];
  /** Told after all, when they were put off already. */
  #after: Owed[] = [];
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
    for (const owed of left) this.#freed.push({ owed, receiver: null });
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
    if (status !== 0) return;
    this.#after.push(delivery.owed);
    this.#store();
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
    for (const owed of found) this.#keep(owed, 'last');
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
        if (this.#done.length + this.#late.length + this.#freed.length + this.#after.length > 0) this.#store();
        else this.#loop?.wake();
      });
  }

  async #storeAll(): Promise<void> {
    const [done, late, freed, after] = [this.#done, this.#late, this.#freed, this.#after];
    this.#done = [];
    this.#late = [];
    this.#freed = [];
    this.#after = [];
    let again: Owed[];
    try {
      again = await this.#storeThese([...done.map(owedOf), ...after], late, freed.map(owedOf));
    } catch (error) {
      // The rows stay this node's, so nobody sends them meanwhile; what was done twice changes nothing.
      this.#log.warn({ error: (error as Error).message }, 'SMPP outcomes not stored, tried again');
      this.#done.unshift(...done);
      this.#late.unshift(...late);
      this.#freed.unshift(...freed);
      this.#after.unshift(...after);
      await wait(againMs);
      return;
    }
    for (const { receiver } of [...done, ...freed, ...late.map(one => one.delivery)]) if (receiver) receiver.inFlight--;
    for (const owed of again.reverse()) this.#keep(owed, 'first');
    this.#send();
  }

  /** Returns what is to be handed to another bind of its user here. */
  async #storeThese(told: Owed[], late: Late[], freed: Owed[]): Promise<Owed[]> {
    const touched = new Set<Bundle>();
    for (const { bundle } of [...told, ...late.map(one => one.delivery.owed), ...freed])
      if (bundle) touched.add(bundle);
    if (late.length > 0) await postponeOwed(this.#db, this.#sureId(), late.map(owedAndPause));
    for (const { bundle, at } of told) bundle?.tell(at);
    const bundles = [...touched].sort((one, other) => one.id - other.id);
    const alone = told.filter(isAlone).map(one => one.id);
    if (told.length + late.length > 0) await endOwed(this.#db, alone, bundles);
    const again = freed.filter(one => one.bundle !== null && this.#receives(one.userId));
    for (const { bundle, at, userId } of freed) if (!this.#receives(userId)) bundle?.giveBack(at);
    const free = bundles.filter(one => one.isFree);
    if (free.length > 0) await releaseBundles(this.#db, this.#sureId(), free);
    const rows = freed.filter(isAlone).map(one => one.id);
    if (rows.length > 0) await freeOwed(this.#db, this.#sureId(), rows);
    return again;
  }

  #sureId(): number {
    const nodeId = this.#nodeId();
    if (nodeId === null) throw new Error('the database has not heard of this process for a while');
    return nodeId;
  }

  /** In the line of what waits for a place in a window of its user, who may have left meanwhile. */
  #keep(owed: Owed, where: 'first' | 'last'): void {
    if (!this.#receives(owed.userId)) {
      this.#freed.push({ owed, receiver: null });
      this.#store();
      return;
    }
    const line = this.#taken.get(owed.userId);
    if (!line) this.#taken.set(owed.userId, [owed]);
    else if (where === 'first') line.unshift(owed);
    else line.push(owed);
  }

  #receives(userId: number): boolean {
    for (const one of this.#receivers) if (one.userId === userId) return true;
    return false;
  }
}

function owedOf({ owed }: { owed: Owed }): Owed {
  return owed;
}

function isAlone({ bundle }: Owed): boolean {
  return bundle === null;
}

function owedAndPause({ delivery, ms }: Late) {
  return { owed: delivery.owed, ms };
}
