// A slot is one bind that a carrier grants. A process holds a slot by an advisory lock of a database session, so several processes
// never bind more often than granted. When the session breaks (the database restarts) links stay up while the slots are taken again; a
// slot that another process got meanwhile is lost, and its link is closed. The session carries the dispatcher's id: the process that
// declares a dispatcher dead ends that session, because a paused process would keep its slots.
import { type Connection, openClient } from '../../db/db.ts';
import type { Log } from '../../log.ts';
import { Turns } from '../../loops/turns.ts';
import { dispatcherLockSpace, endSlotSession } from '../../queue/dispatcher-lease.ts';

const lockSpace = 7_031;
const retryMs = 500;
/** Lock number of a slot: carrier × 100 + slot. */
const carrierStep = 100;

/** The part that a link uses. */
export type Slots = Pick<SlotLocks, 'take' | 'give'>;

export class SlotLocks {
  readonly #connection: Connection;
  readonly #log: Log;
  readonly #held = new Map<number, () => void>();
  readonly #limits = new Map<number, number>();
  /** Slots being requested, so that several links do not each take the last one of our share. */
  readonly #asked = new Set<number>();
  #client: Awaited<ReturnType<typeof openClient>> | undefined;
  #opening: Promise<void> | undefined;
  #identity = 0;
  readonly #turns = new Turns();
  #stopped = false;

  constructor(connection: Connection, log: Log) {
    this.#connection = connection;
    this.#log = log;
  }

  /** Sets the dispatcher id that the session carries. */
  identify(dispatcherId: number): void {
    this.#identity = dispatcherId;
    if (this.#client)
      this.#ask('select pg_try_advisory_lock($1 # lock_salt(), $2)', dispatcherLockSpace, dispatcherId).catch(() => {});
  }

  /** Limits the slots of this carrier: the others are for other processes. */
  limit(carrierId: number, slots: number): void {
    this.#limits.set(carrierId, slots);
  }

  /** Returns false while another process holds the slot, while we hold our share, or without a database. */
  async take(carrierId: number, slot: number, onLost: () => void): Promise<boolean> {
    const id = carrierId * carrierStep + slot;
    if (!this.#held.has(id) && this.#taken(carrierId) >= (this.#limits.get(carrierId) ?? carrierStep)) return false;
    this.#asked.add(id);
    try {
      await this.#open();
      // A slot that we hold is not locked again: advisory locks count, and it would have to be released twice.
      if (!this.#held.has(id) && !(await this.#lock(id))) return false;
      this.#held.set(id, onLost);
      return true;
    } catch {
      return false;
    } finally {
      this.#asked.delete(id);
    }
  }

  #taken(carrierId: number): number {
    const ids = new Set([...this.#held.keys(), ...this.#asked]);
    return [...ids].filter(id => Math.floor(id / carrierStep) === carrierId).length;
  }

  async give(carrierId: number, slot: number): Promise<void> {
    const id = carrierId * carrierStep + slot;
    if (!this.#held.delete(id)) return;
    await this.#ask('select pg_advisory_unlock($1 # lock_salt(), $2)', lockSpace, id).catch(() => {});
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#client?.end().catch(() => {});
  }

  async #lock(id: number): Promise<boolean> {
    const result = await this.#ask('select pg_try_advisory_lock($1 # lock_salt(), $2) as ok', lockSpace, id);
    return result.rows[0]!.ok === true;
  }

  /** Runs one statement at a time: all links share the session. */
  #ask(text: string, ...values: number[]): Promise<{ rows: { ok?: boolean }[] }> {
    return this.#turns.run(async () => {
      if (!this.#client) throw new Error('the database session that holds the slots is closed');
      return this.#client.query(text, values);
    });
  }

  async #open(): Promise<void> {
    if (this.#client) return;
    this.#opening ??= this.#connect().finally(() => {
      this.#opening = undefined;
    });
    await this.#opening;
  }

  async #connect(): Promise<void> {
    const client = await openClient(this.#connection, { name: 'peyk slots', onError: () => {} });
    client.once('end', () => {
      this.#client = undefined;
      if (!this.#stopped) setTimeout(() => void this.#takeAgain(), retryMs);
    });
    // An older session of ours may live on in a server that has not noticed the lost connection: it would hold our slots.
    if (this.#identity) await endSlotSession(client, this.#identity);
    this.#client = client;
    if (this.#identity) this.identify(this.#identity);
  }

  async #takeAgain(): Promise<void> {
    if (this.#stopped) return;
    try {
      await this.#open();
      for (const [id, onLost] of [...this.#held]) {
        if (await this.#lock(id)) continue;
        this.#held.delete(id);
        onLost();
      }
    } catch (error) {
      this.#log.warn({ error: (error as Error).message }, 'slots not taken again yet');
      setTimeout(() => void this.#takeAgain(), retryMs);
    }
  }
}
