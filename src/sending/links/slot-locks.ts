// Binds a carrier grants are slots; a process holds a slot by an advisory lock of its own database session, so several
// processes never bind more often than granted. When the session breaks (the database restarts) the links stay up while
// the slots are taken again; a slot that another process got meanwhile is lost, and its link must go. The session also
// carries the dispatcher's id: whoever declares a dispatcher dead ends that session, because a frozen process would
// otherwise keep its slots for as long as it sleeps.
import { type Connection, openClient } from '../../db/db.ts';
import type { Log } from '../../log.ts';
import { dispatcherLockSpace, endSlotSession } from '../../queue/dispatcher-lease.ts';

const lockSpace = 7_031;
const retryMs = 500;
/** Slots of one carrier lie together in the space of the locks. */
const carrierStep = 100;

/** What a link needs of them. */
export type Slots = Pick<SlotLocks, 'take' | 'give'>;

export class SlotLocks {
  readonly #connection: Connection;
  readonly #log: Log;
  readonly #held = new Map<number, () => void>();
  readonly #limits = new Map<number, number>();
  /** Slots we are asking for, so that several links do not each take the last one that is our share. */
  readonly #asked = new Set<number>();
  #client: Awaited<ReturnType<typeof openClient>> | undefined;
  #opening: Promise<void> | undefined;
  #identity = 0;
  #last: Promise<unknown> = Promise.resolve();
  #stopped = false;

  constructor(connection: Connection, log: Log) {
    this.#connection = connection;
    this.#log = log;
  }

  /** Our name from now on; carried by the session as soon as there is one. */
  identify(dispatcherId: number): void {
    this.#identity = dispatcherId;
    if (this.#client)
      this.#ask('select pg_try_advisory_lock($1 # lock_salt(), $2)', dispatcherLockSpace, dispatcherId).catch(() => {});
  }

  /** From now on at most so many slots of this carrier: the others are for other processes. */
  limit(carrierId: number, slots: number): void {
    this.#limits.set(carrierId, slots);
  }

  /** false while another process holds the slot, while we hold our share, or while there is no database to ask. */
  async take(carrierId: number, slot: number, onLost: () => void): Promise<boolean> {
    const id = carrierId * carrierStep + slot;
    if (!this.#held.has(id) && this.#taken(carrierId) >= (this.#limits.get(carrierId) ?? carrierStep)) return false;
    this.#asked.add(id);
    try {
      await this.#open();
      // Ours already: advisory locks count, and what is taken twice would have to be given back twice.
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

  /** One question at a time: the session is shared by all links. */
  #ask(text: string, ...values: number[]): Promise<{ rows: { ok?: boolean }[] }> {
    const answer = this.#last.then(() => {
      if (!this.#client) throw new Error('the session is gone');
      return this.#client.query(text, values);
    });
    this.#last = answer.catch(() => {});
    return answer;
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
    // One of ours may live on in a server that fell silent and has not noticed that we left: it would keep our slots from us.
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
