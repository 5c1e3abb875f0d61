// Chooses the link of a message: the first carrier by priority that serves the number and is bound. Messages wait for a bound carrier
// with a full window; a carrier that is down or paused is skipped (failover). Carriers are read again whenever they change.

import { type CarrierWithPassword, carriersWithPasswords } from '../../carriers/carriers.ts';
import { type Db, row, sql } from '../../db/db.ts';
import type { SecretKey } from '../../sealing/secrets.ts';
import { monotonicMs } from '../../time/clock.ts';
import { HttpLink } from '../http/http-link.ts';
import { CarrierLink } from './carrier-link.ts';
import type { Link, LinkParts } from './link.ts';
import type { SlotLocks } from './slot-locks.ts';

/** `crowdedSinceMs`: since when we hold more binds than our share. */
type Route<T> = {
  carrier: CarrierWithPassword;
  links: Link<T>[];
  last: number;
  crowdedSinceMs: number | null;
};

type RouterParts<T> = LinkParts<T> & { db: Db; key: SecretKey; locks: SlotLocks; publicUrl?: string };

/** A bind is released for another dispatcher only after this time: one that just started, or was declared dead, may be gone. */
const releaseAfterMs = 3_000;

const changedSql = sql<{ version: string }>('carriers version')`
  select coalesce(max(changed_at)::text, '') || ' ' || count(*) as version from carriers`;

export class Router<T> {
  #routes: Route<T>[] = [];
  #version = '';
  #dispatchers = 1;
  readonly #parts: RouterParts<T>;
  readonly #stopping = new Set<Promise<unknown>>();

  constructor(parts: RouterParts<T>) {
    this.#parts = parts;
  }

  /**
   * A link with room, 'busy' when the window of the right one is full, 'none' when no carrier for the number is bound. A part of each
   * window is reserved for small orders.
   */
  linkFor(number: number, small: boolean): Link<T> | 'busy' | 'none' {
    let bound = false;
    for (const route of this.#routes) {
      if (!serves(route.carrier, number)) continue;
      const reserved = reservedWindow(route.carrier.windowSize);
      for (let i = 0; i < route.links.length; i++) {
        route.last = (route.last + 1) % route.links.length;
        const link = route.links[route.last]!;
        if (!link.bound) continue;
        bound = true;
        if (link.room(1) > 0 && (small || link.windowUsed < link.carrier.windowSize - reserved)) return link;
      }
      if (bound) return 'busy';
    }
    return 'none';
  }

  get links(): Link<T>[] {
    return this.#routes.flatMap(one => one.links);
  }

  anyBound(): boolean {
    return this.#routes.some(one => one.links.some(link => link.bound));
  }

  anyPaced(): boolean {
    return this.#routes.some(one => one.links.some(link => link.pace.limit !== Number.POSITIVE_INFINITY));
  }

  /** How many submits all links could take now: of any order, and of large ones. */
  get room(): { any: number; large: number } {
    const room = { any: 0, large: 0 };
    for (const { carrier, links } of this.#routes)
      for (const link of links) {
        const free = link.room(carrier.windowSize);
        const places = carrier.windowSize - link.windowUsed - reservedWindow(carrier.windowSize);
        room.any += free;
        room.large += Math.max(0, Math.min(free, places));
      }
    return room;
  }

  async reload(): Promise<void> {
    const { db, key, publicUrl } = this.#parts;
    const { version } = (await row(db, changedSql))!;
    if (version === this.#version) return;
    const carriers = await carriersWithPasswords(db, key, publicUrl);
    this.#version = version;
    const before = this.#routes;
    const kept = (carrier: CarrierWithPassword) => before.find(old => same(old.carrier, carrier));
    const wanted = carriers.filter(one => !one.paused);
    const closing = new Map<number, Promise<unknown>>();
    for (const old of before)
      if (!wanted.some(one => kept(one) === old)) closing.set(old.carrier.id, this.#ended(old.links));
    this.#routes = wanted.map(carrier => kept(carrier) ?? this.#open(carrier, closing.get(carrier.id)));
  }

  /**
   * Shares binds among live dispatchers, so that each has work; a bind too many is drained and released. `fewest`: binds of the dispatcher
   * with the fewest, by carrier. While it has less than its share, no dispatcher keeps one of the remainder.
   */
  share(dispatchers: number, fewest: ReadonlyMap<number, number> = new Map()): void {
    this.#dispatchers = Math.max(1, dispatchers);
    for (const route of this.#routes) {
      const each = route.carrier.binds / this.#dispatchers;
      const isUneven = (fewest.get(route.carrier.id) ?? each) < Math.floor(each);
      const most = isUneven ? Math.floor(each) : Math.ceil(each);
      this.#parts.locks.limit(route.carrier.id, most);
      const ours = route.links.filter(link => link.bound);
      if (ours.length <= most) route.crowdedSinceMs = null;
      else if (route.crowdedSinceMs === null) route.crowdedSinceMs = monotonicMs();
      else if (monotonicMs() - route.crowdedSinceMs > releaseAfterMs) this.#handOver(route, ours.at(-1)!);
    }
  }

  #handOver(route: Route<T>, link: Link<T>): void {
    this.#parts.log.info({ carrier: route.carrier.name, slot: link.slot }, 'bind released for another dispatcher');
    route.crowdedSinceMs = null;
    const next = linkTo(route.carrier, link.slot, this.#parts);
    route.links[route.links.indexOf(link)] = next;
    void this.#ended([link]).finally(() => next.start());
  }

  async stop(): Promise<void> {
    for (const { links } of this.#routes) void this.#ended(links);
    this.#routes = [];
    await Promise.all(this.#stopping);
  }

  /** A changed carrier binds after its old binds are gone, because it grants a limited number. */
  #open(carrier: CarrierWithPassword, after: Promise<unknown> = Promise.resolve()): Route<T> {
    this.#parts.log.info({ carrier: carrier.name, binds: carrier.binds }, 'carrier opened');
    this.#parts.locks.limit(carrier.id, Math.ceil(carrier.binds / this.#dispatchers));
    const links = Array.from({ length: carrier.binds }, (_, slot) => linkTo(carrier, slot, this.#parts));
    void after.then(() => links.forEach(link => void link.start()));
    return { carrier, links, last: 0, crowdedSinceMs: null };
  }

  #ended(links: Link<T>[]): Promise<unknown> {
    const stopping: Promise<unknown> = Promise.all(links.map(link => link.stop())).finally(() =>
      this.#stopping.delete(stopping),
    );
    this.#stopping.add(stopping);
    return stopping;
  }
}

export function linkTo<T>(carrier: CarrierWithPassword, slot: number, parts: LinkParts<T>): Link<T> {
  const Kind = carrier.kind === 'http' ? HttpLink<T> : CarrierLink<T>;
  return new Kind(carrier, slot, parts);
}

/** Part of a window that large orders leave free, so that a one-time code need not wait for an answer. */
export function reservedWindow(window: number): number {
  return window < 2 ? 0 : Math.max(1, Math.min(5, Math.floor(window / 10)));
}

function same(a: CarrierWithPassword, b: CarrierWithPassword): boolean {
  return a.id === b.id && a.changedAt.getTime() === b.changedAt.getTime();
}

function serves(carrier: CarrierWithPassword, number: number): boolean {
  if (carrier.prefixes.length === 0) return true;
  const digits = String(number);
  return carrier.prefixes.some(prefix => digits.startsWith(prefix));
}
