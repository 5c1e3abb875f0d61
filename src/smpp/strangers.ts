// Connections without a bind: a pool of their own, so that they never take a customer's place. One address (of IPv6 one /64)
// holds a few of them. When the pool is full, a new connection takes the place of the oldest one of the address with the most.
import { isIPv6 } from 'node:net';

export type StrangerLimits = { perAddress: number; total: number };
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

  /** Returns how to leave the pool; null: the address holds too many. `close` is called when another needs the place. */
  enter(address: string, close: () => void): (() => void) | null {
    const group = groupOf(address);
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

/** An IPv4 address as it is, of an IPv6 address its /64: who has one address of it usually has them all. */
export function groupOf(address: string): string {
  const plain = address.replace(/%.*$/, '').toLowerCase();
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain);
  if (mapped) return mapped[1]!;
  if (!isIPv6(plain)) return plain;
  const [head = '', tail = ''] = plain.split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === '' ? [] : tail.split(':');
  const zeros = plain.includes('::')
    ? Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0')
    : [];
  const words = [...first, ...zeros, ...last].slice(0, 4);
  return `${words.map(word => Number.parseInt(word, 16).toString(16)).join(':')}::/64`;
}
