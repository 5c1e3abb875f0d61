// Delivers receipts and messages from phones to the users that are bound to this process. Rows are taken from the database a
// little ahead and spread over the binds of their user. A place in a bind's window is free again only when the outcome is stored,
// so a crash leaves at most the windows in doubt, which are sent again after a rebind.
import { setTimeout as wait } from 'node:timers/promises';
import { batched } from '../db/coalesce.ts';
import type { Db } from '../db/db.ts';
import type { Log } from '../log.ts';
import { inTime } from '../loops/in-time.ts';
import { type Loop, startLoop } from '../loops/loop.ts';
import { smppDeliveriesTotal } from '../metrics/metrics.ts';
import { statusName } from '../smpp/status.ts';
import { backoffMs } from '../time/backoff.ts';
import type { CustomersBind, Delivery } from './bind.ts';
import { deliverBody } from './deliver-body.ts';
import { countRefused, type PendingDelivery, postponeDeliveries, removeDeliveries, takeDeliveries } from './outbox.ts';
import { retriedStatuses } from './statuses.ts';

/** `againMs` null: it is done; 0: it was not tried. `bind` null: it holds no place in a window. */
type Outcome = { pending: PendingDelivery; bind: CustomersBind | null; againMs: number | null };

const idleMs = 100;
const aheadMax = 500;
const retry = { baseMs: 1_000, maxMs: 300_000 };
/** A deliver_sm without an answer may have been taken, so it is not repeated soon. */
const silentMs = 30_000;
const againMs = 500;
const storedAtOnce = 2_000;
const stopMaxMs = 3_000;

export class Deliverer {
  readonly #db: Db;
  readonly #log: Log;
  /** Null while others may have taken over what this process holds: then nothing is sent. */
  readonly #nodeId: () => number | null;
  readonly #binds = new Set<CustomersBind>();
  readonly #taken = new Map<number, PendingDelivery[]>();
  #loop: Loop | null = null;
  readonly #store = batched((batch: Outcome[]) => this.#storeAll(batch), { itemsMax: storedAtOnce, atOnce: 1 });
  /** Of the last outcome: those before it are stored first. */
  #stored: Promise<unknown> = Promise.resolve();
  #isOver = false;

  constructor(db: Db, log: Log, nodeId: () => number | null) {
    this.#db = db;
    this.#log = log;
    this.#nodeId = nodeId;
  }

  start(): void {
    this.#loop = startLoop('SMPP receipts', this.#log, () => this.#round());
  }

  add(bind: CustomersBind): void {
    this.#binds.add(bind);
    this.#loop?.wake();
  }

  /** Called after the session closed and everything in flight was reported lost. */
  remove(bind: CustomersBind): void {
    this.#binds.delete(bind);
    this.#send();
  }

  answered(delivery: Delivery, status: number): void {
    const { pending, bind } = delivery;
    if (status === 0) {
      bind.counts.receipts++;
      smppDeliveriesTotal.inc({ outcome: 'taken' });
      return this.#note(delivery, null);
    }
    bind.error(`deliver_sm: ${statusName(status)}`);
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
    if (status === 0) this.#note({ pending, bind: null }, null);
  }

  async stop(): Promise<void> {
    await this.#loop?.stop();
    this.#binds.clear();
    this.#send();
    await inTime(this.#stored, stopMaxMs);
    this.#isOver = true;
  }

  async #round(): Promise<number> {
    const nodeId = this.#nodeId();
    if (nodeId === null || this.#binds.size === 0) return idleMs;
    this.#send();
    const wanted = new Map<number, number>();
    for (const { userId, window } of this.#binds) {
      const ahead = Math.min(aheadMax, window * 4) - (this.#taken.get(userId)?.length ?? 0);
      if (ahead >= window) wanted.set(userId, Math.max(ahead, wanted.get(userId) ?? 0));
    }
    if (wanted.size === 0) return idleMs;
    const found = await takeDeliveries(this.#db, nodeId, wanted);
    for (const pending of found) {
      const line = this.#taken.get(pending.userId) ?? [];
      this.#taken.set(pending.userId, line);
      line.push(pending);
    }
    this.#send();
    return found.length > 0 ? 0 : idleMs;
  }

  /** Deliveries of a user who has unbound are given back. */
  #send(): void {
    const isSure = this.#nodeId() !== null;
    for (const [userId, line] of this.#taken) {
      const binds = [...this.#binds].filter(one => one.userId === userId);
      if (binds.length === 0) for (const pending of line.splice(0)) this.#note({ pending, bind: null }, 0);
      for (let to = freest(binds); isSure && to && line.length > 0; to = freest(binds))
        this.#deliver(line.shift()!, to);
      if (line.length === 0) this.#taken.delete(userId);
    }
  }

  #deliver(pending: PendingDelivery, bind: CustomersBind): void {
    const delivery = { pending, bind };
    const body = deliverBody(pending);
    bind.inFlight++;
    if (body === null) this.#note(delivery, null);
    else if (!bind.session.deliver(body, delivery)) this.#note(delivery, 0);
  }

  #note({ pending, bind }: Omit<Outcome, 'againMs'>, againMs: number | null): void {
    this.#stored = this.#store({ pending, bind, againMs });
  }

  /** Afterwards their places in the windows are free. */
  async #storeAll(batch: Outcome[]): Promise<Outcome[]> {
    const late = batch.flatMap(({ pending: { id }, againMs }) => (againMs === null ? [] : { id, ms: againMs }));
    const done = batch.filter(one => one.againMs === null).map(one => one.pending.id);
    for (let isStored = false; !isStored && !this.#isOver; )
      try {
        if (late.length > 0) await postponeDeliveries(this.#db, this.#sureId(), late);
        await removeDeliveries(this.#db, done);
        isStored = true;
      } catch (error) {
        // The rows still belong to this process, so no other sends them; storing an outcome twice changes nothing.
        this.#log.warn({ error: (error as Error).message }, 'SMPP outcomes not stored, tried again');
        await wait(againMs);
      }
    for (const { bind } of batch) if (bind) bind.inFlight--;
    this.#send();
    this.#loop?.wake();
    return batch;
  }

  #sureId(): number {
    const nodeId = this.#nodeId();
    if (nodeId === null) throw new Error('the heartbeat of this process is too old');
    return nodeId;
  }
}

/** The bind with the most room, so that deliveries are spread evenly. */
function freest(binds: CustomersBind[]): CustomersBind | undefined {
  const free = binds.filter(one => one.inFlight < one.window && one.session.room() > 0);
  return free.sort((one, other) => one.inFlight - other.inFlight)[0];
}
