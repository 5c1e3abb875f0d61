// Connections without a bind have a pool of their own, so that they never take a customer's place. One address (an IPv6 /64)
// may hold a few. When the pool is full, a new connection replaces the oldest one of the address with the most.

/** `groupOf`: which addresses count as one. */
export type StrangerLimits = { perAddress: number; total: number; groupOf?: (address: string) => string };
type Stranger = { group: string; close(): void };

export class Strangers {
  readonly #limits: StrangerLimits;
  /** By address or network, each oldest first. */
  readonly #groups = new Map<string, Set<Stranger>>();
  #count = 0;

  constructor(limits: StrangerLimits) {
    this.#limits = limits;
  }

  get count(): number {
    return this.#count;
  }

  /**
   * Returns a function that leaves the pool, or null if the address holds too many. `close` is called when another connection
   * needs the place.
   */
  enter(address: string, close: () => void): (() => void) | null {
    const group = this.#limits.groupOf?.(address) ?? address;
    if ((this.#groups.get(group)?.size ?? 0) >= this.#limits.perAddress) return null;
    if (this.#count >= this.#limits.total) this.#evict();
    const stranger = { group, close };
    const members = this.#groups.get(group) ?? new Set();
    this.#groups.set(group, members.add(stranger));
    this.#count++;
    return () => this.#leave(stranger);
  }

  #leave(stranger: Stranger): void {
    const members = this.#groups.get(stranger.group);
    if (!members?.delete(stranger)) return;
    this.#count--;
    if (members.size === 0) this.#groups.delete(stranger.group);
  }

  #evict(): void {
    let largest: Set<Stranger> | undefined;
    for (const members of this.#groups.values()) if (members.size > (largest?.size ?? 0)) largest = members;
    const oldest = largest?.values().next().value;
    if (!oldest) return;
    this.#leave(oldest);
    oldest.close();
  }
}
