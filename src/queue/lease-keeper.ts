// Our own life and the others'. Every second we say that we live; as long as that was confirmed recently, by our own
// monotonic clock, we may write to carriers. Another dispatcher whose number stands still for a lease length is dead, and
// what it held is given back.

import type { Db } from '../db/db.ts';
import type { Log } from '../log.ts';
import { type Loop, startLoop } from '../loops/loop.ts';
import { hostMs, monotonicMs, now } from '../time/clock.ts';
import {
  beat,
  endSlotSession,
  otherDispatchers,
  ownersWithoutEntry,
  registerDispatcher,
  releaseLeases,
} from './dispatcher-lease.ts';

const beatMsMax = 1_000;
const beatsPerLease = 4;
// We stop writing well before the others may take our work.
const writeShare = 0.6;
const blindMs = 500;
// Who used less of a core than this while it was silent was kept from speaking: a network, a database, a machine that stood still.
const busyShare = 0.5;
/** So long without a round, and the process counts as standing still: 30 s with the usual lease of 6. */
const silentLeases = 5;

/** `wasIdle`: we were declared dead while we only could not speak. */
export type OnNewIdentity = (id: number, wasIdle: boolean) => void;

export class LeaseKeeper {
  id = 0;
  /** The number of our last confirmed sign of life. */
  beat = 0;
  /** Dispatchers that live, ourselves among them, as far as we know. */
  living = 1;
  /** When we last gave back what a dead dispatcher held; null = never. */
  deathAt: Date | null = null;
  readonly #db: Db;
  readonly #log: Log;
  readonly #leaseMs: number;
  readonly #holdMs: number;
  readonly #node: string;
  readonly #onNewIdentity: OnNewIdentity;
  readonly #seen = new Map<number, { beat: number; since: number }>();
  readonly #beatMs: number;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #failures = 0;
  #confirmedAt = Number.NEGATIVE_INFINITY;
  #confirmedWallMs = Number.NEGATIVE_INFINITY;
  #confirmedCpu = process.cpuUsage();
  #loop: Loop | undefined;

  constructor(db: Db, log: Log, leaseMs: number, holdMs: number, node: string, onNewIdentity: OnNewIdentity) {
    this.#db = db;
    this.#log = log;
    this.#leaseMs = leaseMs;
    this.#holdMs = holdMs;
    this.#beatMs = Math.min(beatMsMax, leaseMs / beatsPerLease);
    this.#node = node;
    this.#onNewIdentity = onNewIdentity;
  }

  /** `dead`: dispatchers that are certainly gone, or 'all' when nobody else can be there. */
  async start(dead: number[] | 'all'): Promise<void> {
    const gone = dead === 'all' ? (await otherDispatchers(this.#db, 0)).map(one => one.id) : dead;
    for (const id of [...gone, ...(await ownersWithoutEntry(this.#db))]) await this.#release(id, 'predecessor');
    await this.#register();
    await this.#watchOthers();
    this.#loop = startLoop('dispatcher beat', this.#log, () => this.#round(), {
      silenceMaxMs: silentLeases * this.#leaseMs,
    });
  }

  /** By both clocks: the monotonic one stands still while the whole machine sleeps, the other may be set back. */
  mayWrite(): boolean {
    const safeMs = this.#leaseMs * writeShare;
    return monotonicMs() - this.#confirmedAt < safeMs && hostMs() - this.#confirmedWallMs < safeMs;
  }

  async stop(): Promise<void> {
    await this.#loop?.stop();
    if (this.id) await releaseLeases(this.#db, this.id, this.#holdMs).catch(() => {});
  }

  async #register(wasIdle = false): Promise<void> {
    const confirm = this.#confirmation();
    this.id = await registerDispatcher(this.#db, this.#node);
    this.beat = 0;
    confirm();
    this.#onNewIdentity(this.id, wasIdle);
  }

  /** Life was confirmed as of the moment the question was asked, not of the answer. */
  #confirmation(): () => void {
    const [monotonic, wall, cpu] = [monotonicMs(), hostMs(), process.cpuUsage()];
    return () => {
      this.#confirmedAt = monotonic;
      this.#confirmedWallMs = wall;
      this.#confirmedCpu = cpu;
    };
  }

  /** Since life was last confirmed; not so when something of ours kept the process busy. */
  #wasIdle(): boolean {
    const { user, system } = process.cpuUsage(this.#confirmedCpu);
    return (user + system) / 1_000 < (monotonicMs() - this.#confirmedAt) * busyShare;
  }

  /** Never fails: without a database we ask again soon, because every moment of silence is one in which nothing is sent. */
  async #round(): Promise<number> {
    try {
      await this.#live();
      this.#failures = 0;
    } catch (error) {
      if (this.#failures++ === 0) this.#log.warn({ error: (error as Error).message }, 'sign of life not stored');
    }
    return this.#beatMs;
  }

  async #live(): Promise<void> {
    const confirm = this.#confirmation();
    const stored = await beat(this.#db, this.id);
    if (stored !== undefined) {
      confirm();
      this.beat = stored;
    } else {
      this.#log.error({ dispatcher: this.id }, 'declared dead by the others: starting again under a new identity');
      await this.#register(this.#wasIdle());
    }
    await this.#watchOthers();
  }

  async #watchOthers(): Promise<void> {
    const time = monotonicMs();
    const others = await otherDispatchers(this.#db, this.id);
    // While we could not look (no database, or we slept ourselves) the others could not show their life either.
    const blind = time - this.#lookedAt > 2 * this.#beatMs + blindMs;
    this.#lookedAt = time;
    if (blind) this.#seen.clear();
    for (const one of others) {
      const known = this.#seen.get(one.id);
      if (!known || known.beat !== one.beat) this.#seen.set(one.id, { beat: one.beat, since: time });
      else if (time - known.since > this.#leaseMs) await this.#release(one.id, 'silent');
    }
    const living = new Set(others.map(one => one.id));
    for (const id of this.#seen.keys()) if (!living.has(id)) this.#seen.delete(id);
    this.living = 1 + this.#seen.size;
  }

  async #release(id: number, why: string): Promise<void> {
    const chunks = await releaseLeases(this.#db, id, this.#holdMs);
    if (chunks > 0) this.deathAt = now();
    await endSlotSession(this.#db, id);
    this.#seen.delete(id);
    this.#log.warn({ dispatcher: id, chunks, why }, 'dispatcher is gone, its work was given back');
  }
}
