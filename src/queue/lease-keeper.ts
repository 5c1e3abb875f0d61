// Keeps the lease of this dispatcher and watches the others. It sends a heartbeat every second and may write to carriers as long as
// one was confirmed recently, by its own monotonic clock. Another dispatcher whose number does not change for a lease length is
// dead, and its work is given back.

import type { Db } from '../db/db.ts';
import type { Log } from '../log.ts';
import { type Loop, startLoop } from '../loops/loop.ts';
import { hostMs, monotonicMs, now } from '../time/clock.ts';
import type { ChunkProgress } from './chunk-progress.ts';
import { beat, endSlotSession, otherDispatchers, registerDispatcher, releaseLeases } from './dispatcher-lease.ts';

const beatMsMax = 1_000;
const beatsPerLease = 4;
// Writing stops well before other dispatchers may take our work.
const writeShare = 0.6;
const blindMs = 500;
// A dispatcher that used less of a core than this while it was silent was stopped by its network, its database or its machine.
const busyShare = 0.5;
/** After this many leases without a round the loop counts as stalled: 30 s with the usual lease of 6. */
const silentLeases = 5;

type LeaseParts = {
  db: Db;
  log: Log;
  leaseMs: number;
  holdMs: number;
  node: string;
  progress: ChunkProgress;
  /** `wasIdle`: we were declared dead although nothing of ours kept the process busy. */
  onNewIdentity(id: number, wasIdle: boolean): void;
};

export class LeaseKeeper {
  id = 0;
  /** The number of our last confirmed heartbeat. */
  beat = 0;
  /** How many dispatchers live, this one included, as far as we know. */
  living = 1;
  /** When we last gave back the work of a dead dispatcher; null: never. */
  deathAt: Date | null = null;
  readonly #parts: LeaseParts;
  readonly #seen = new Map<number, { beat: number; since: number }>();
  readonly #beatMs: number;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #failures = 0;
  #confirmedAt = Number.NEGATIVE_INFINITY;
  #confirmedWallMs = Number.NEGATIVE_INFINITY;
  #confirmedCpu = process.cpuUsage();
  #loop: Loop | undefined;

  constructor(parts: LeaseParts) {
    this.#parts = parts;
    this.#beatMs = Math.min(beatMsMax, parts.leaseMs / beatsPerLease);
  }

  /** `dead`: dispatchers that have certainly ended, or 'all' if no other can be running. */
  async start(dead: number[] | 'all'): Promise<void> {
    const gone = dead === 'all' ? (await otherDispatchers(this.#parts.db, 0)).map(one => one.id) : dead;
    for (const id of gone) await this.#release(id, 'predecessor');
    await this.#register();
    await this.#watchOthers();
    this.#loop = startLoop('dispatcher beat', this.#parts.log, () => this.#round(), {
      silenceMaxMs: silentLeases * this.#parts.leaseMs,
    });
  }

  /** By both clocks: the monotonic one stops while the machine sleeps, the other may be set back. */
  mayWrite(): boolean {
    const safeMs = this.#parts.leaseMs * writeShare;
    return monotonicMs() - this.#confirmedAt < safeMs && hostMs() - this.#confirmedWallMs < safeMs;
  }

  async stop(): Promise<void> {
    await this.#loop?.stop();
    if (this.id) await releaseLeases(this.#parts.db, this.id, this.#parts.holdMs).catch(() => {});
  }

  async #register(wasIdle = false): Promise<void> {
    const confirm = this.#confirmation();
    this.id = await registerDispatcher(this.#parts.db, this.#parts.node);
    this.beat = 0;
    this.#parts.progress.begin(this.id);
    confirm();
    this.#parts.onNewIdentity(this.id, wasIdle);
  }

  /** A heartbeat is confirmed as of the moment it was sent, not of its answer. */
  #confirmation(): () => void {
    const [monotonic, wall, cpu] = [monotonicMs(), hostMs(), process.cpuUsage()];
    return () => {
      this.#confirmedAt = monotonic;
      this.#confirmedWallMs = wall;
      this.#confirmedCpu = cpu;
    };
  }

  /** Since the last confirmed heartbeat; false if something of ours kept the process busy. */
  #wasIdle(): boolean {
    const { user, system } = process.cpuUsage(this.#confirmedCpu);
    return (user + system) / 1_000 < (monotonicMs() - this.#confirmedAt) * busyShare;
  }

  /** Never fails: without a database it tries again soon, because nothing is sent during the silence. */
  async #round(): Promise<number> {
    try {
      await this.#live();
      this.#failures = 0;
    } catch (error) {
      if (this.#failures++ === 0) this.#parts.log.warn({ error: (error as Error).message }, 'heartbeat not stored');
    }
    return this.#beatMs;
  }

  async #live(): Promise<void> {
    const confirm = this.#confirmation();
    const stored = await beat(this.#parts.db, this.id);
    if (stored !== undefined) {
      confirm();
      this.beat = stored;
    } else {
      this.#parts.log.error(
        { dispatcher: this.id },
        'declared dead by the others: starting again under a new identity',
      );
      await this.#register(this.#wasIdle());
    }
    await this.#watchOthers();
  }

  async #watchOthers(): Promise<void> {
    const time = monotonicMs();
    const others = await otherDispatchers(this.#parts.db, this.id);
    // While we could not look (no database, or the machine slept) the others may not have been able to send heartbeats either.
    const blind = time - this.#lookedAt > 2 * this.#beatMs + blindMs;
    this.#lookedAt = time;
    if (blind) this.#seen.clear();
    for (const one of others) {
      const known = this.#seen.get(one.id);
      if (!known || known.beat !== one.beat) this.#seen.set(one.id, { beat: one.beat, since: time });
      else if (time - known.since > this.#parts.leaseMs) await this.#release(one.id, 'silent');
    }
    const living = new Set(others.map(one => one.id));
    for (const id of this.#seen.keys()) if (!living.has(id)) this.#seen.delete(id);
    this.living = 1 + this.#seen.size;
  }

  async #release(id: number, why: string): Promise<void> {
    const chunks = await releaseLeases(this.#parts.db, id, this.#parts.holdMs, this.#parts.progress.of(id));
    if (chunks > 0) this.deathAt = now();
    await endSlotSession(this.#parts.db, id);
    this.#seen.delete(id);
    this.#parts.log.warn({ dispatcher: id, chunks, why }, 'dispatcher is gone, its work was given back');
  }
}
