// Which link takes a message: the first carrier by priority that serves the number and is bound. One that is bound but
// full is waited for; one that is down or paused is passed over (failover). Carriers are read again whenever they change.

import { type CarrierWithPassword, carriersWithPasswords } from '../../carriers/carriers.ts';
import { type Db, row, sql } from '../../db/db.ts';
import type { Log } from '../../log.ts';
import type { SecretKey } from '../../sealing/secrets.ts';
import { monotonicMs } from '../../time/clock.ts';
import { HttpLink } from '../http/http-link.ts';
import { CarrierLink } from './carrier-link.ts';
import type { Link, LinkEvents } from './link.ts';
import type { SlotLocks, Slots } from './slot-locks.ts';

/** `crowdedSinceMs`: since when we hold binds that are another process's share. */
type Route<T> = {
  carrier: CarrierWithPassword;
  links: Link<T>[];
  last: number;
  crowdedSinceMs: number | null;
};

/** A bind is only handed over for somebody who stays: a process that was just declared dead, or just began, may be gone. */
const handOverAfterMs = 3_000;

const changedSql = sql<{ version: string }>('carriers version')`
  select coalesce(max(changed_at)::text, '') || ' ' || count(*) as version from carriers`;

export class Router<T> {
  #routes: Route<T>[] = [];
  #version = '';
  #dispatchers = 1;
  readonly #db: Db;
  readonly #key: SecretKey;
  readonly #events: LinkEvents<T>;
  readonly #locks: SlotLocks;
  readonly #log: Log;
  readonly #stopping = new Set<Promise<unknown>>();

  readonly #publicUrl: string;

  constructor(db: Db, key: SecretKey, events: LinkEvents<T>, locks: SlotLocks, log: Log, publicUrl = '') {
    this.#publicUrl = publicUrl;
    this.#db = db;
    this.#key = key;
    this.#events = events;
    this.#locks = locks;
    this.#log = log;
  }

  /**
   * A link with room, 'busy' when the right one is full, 'none' when no carrier for the number is bound. A few places of each window are
   * kept free for small orders.
   */
  linkFor(number: number, small: boolean): Link<T> | 'busy' | 'none' {
    let bound = false;
    for (const route of this.#routes) {
      if (!serves(route.carrier, number)) continue;
      const kept = keptPlaces(route.carrier.windowSize);
      for (let i = 0; i < route.links.length; i++) {
        route.last = (route.last + 1) % route.links.length;
        const link = route.links[route.last]!;
        if (!link.bound) continue;
        bound = true;
        if (link.room(1) > 0 && (small || link.windowUsed < link.carrier.windowSize - kept)) return link;
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

  /** How many submits could leave at once over all links: of any order, and of large ones. */
  get room(): { any: number; large: number } {
    const room = { any: 0, large: 0 };
    for (const { carrier, links } of this.#routes)
      for (const link of links) {
        const free = link.room(carrier.windowSize);
        const places = carrier.windowSize - link.windowUsed - keptPlaces(carrier.windowSize);
        room.any += free;
        room.large += Math.max(0, Math.min(free, places));
      }
    return room;
  }

  async reload(): Promise<void> {
    const { version } = (await row(this.#db, changedSql))!;
    if (version === this.#version) return;
    const carriers = await carriersWithPasswords(this.#db, this.#key, this.#publicUrl);
    this.#version = version;
    const before = this.#routes;
    const kept = (carrier: CarrierWithPassword) => before.find(old => same(old.carrier, carrier));
    const wanted = carriers.filter(one => !one.paused);
    const closing = new Map<number, Promise<unknown>>();
    for (const old of before) if (!wanted.some(one => kept(one) === old)) closing.set(old.carrier.id, this.#close(old));
    this.#routes = wanted.map(carrier => kept(carrier) ?? this.#open(carrier, closing.get(carrier.id)));
  }

  /**
   * Binds are shared among the living dispatchers, so that each of them has work; one too many is drained and given up. `fewest`, by
   * carrier: what the poorest of them has (fewestBinds). While that is less than its share nobody keeps one that is left over.
   */
  share(dispatchers: number, fewest: ReadonlyMap<number, number> = new Map()): void {
    this.#dispatchers = Math.max(1, dispatchers);
    for (const route of this.#routes) {
      const each = route.carrier.binds / this.#dispatchers;
      const isUneven = (fewest.get(route.carrier.id) ?? each) < Math.floor(each);
      const most = isUneven ? Math.floor(each) : Math.ceil(each);
      this.#locks.limit(route.carrier.id, most);
      const ours = route.links.filter(link => link.bound);
      if (ours.length <= most) route.crowdedSinceMs = null;
      else if (route.crowdedSinceMs === null) route.crowdedSinceMs = monotonicMs();
      else if (monotonicMs() - route.crowdedSinceMs > handOverAfterMs) this.#handOver(route, ours.at(-1)!);
    }
  }

  #handOver(route: Route<T>, link: Link<T>): void {
    this.#log.info({ carrier: route.carrier.name, slot: link.slot }, 'bind handed over to another dispatcher');
    route.crowdedSinceMs = null;
    const next = this.#linkOf(route.carrier, link.slot);
    route.links[route.links.indexOf(link)] = next;
    const stopping: Promise<unknown> = link.stop().finally(() => {
      this.#stopping.delete(stopping);
      next.start();
    });
    this.#stopping.add(stopping);
  }

  async stop(): Promise<void> {
    for (const one of this.#routes) void this.#close(one);
    this.#routes = [];
    await Promise.all(this.#stopping);
  }

  /** A changed carrier binds anew once its old binds are gone: it grants only so many. */
  #open(carrier: CarrierWithPassword, after: Promise<unknown> = Promise.resolve()): Route<T> {
    this.#log.info({ carrier: carrier.name, binds: carrier.binds }, 'carrier opened');
    this.#locks.limit(carrier.id, Math.ceil(carrier.binds / this.#dispatchers));
    const links = Array.from({ length: carrier.binds }, (_, slot) => this.#linkOf(carrier, slot));
    void after.then(() => links.forEach(link => void link.start()));
    return { carrier, links, last: 0, crowdedSinceMs: null };
  }

  #linkOf(carrier: CarrierWithPassword, slot: number): Link<T> {
    return linkTo(carrier, slot, this.#events, this.#locks, this.#log);
  }

  #close(route: Route<T>): Promise<unknown> {
    const stopping: Promise<unknown> = Promise.all(route.links.map(link => link.stop())).finally(() =>
      this.#stopping.delete(stopping),
    );
    this.#stopping.add(stopping);
    return stopping;
  }
}

export function linkTo<T>(
  carrier: CarrierWithPassword,
  slot: number,
  events: LinkEvents<T>,
  locks: Slots,
  log: Log,
): Link<T> {
  const Kind = carrier.kind === 'http' ? HttpLink<T> : CarrierLink<T>;
  return new Kind(carrier, slot, events, locks, log);
}

/** Places of a window that campaigns leave free, so that a one-time code need not wait for an answer. */
export function keptPlaces(window: number): number {
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
