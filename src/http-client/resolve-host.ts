// Resolves names to addresses. It asks the name servers directly with a time limit: the system's own lookup blocks one of four
// threads for up to 30 s, so four dead domains would stop every request. Only names that the name servers do not know
// (hosts file, container names) go to the system.
import { lookup, Resolver } from 'node:dns/promises';
import { nowMs } from '../time/clock.ts';

export type ResolveHost = (host: string) => Promise<string[]>;

const keptMs = 30_000;
const namesMax = 10_000;

export function createResolver(): ResolveHost {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  return async host => {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const found = answers.flatMap(one => (one.status === 'fulfilled' ? one.value : []));
    if (found.length > 0) return found;
    const failure = answers.find(one => one.status === 'rejected')?.reason as NodeJS.ErrnoException | undefined;
    if (failure?.code === 'ETIMEOUT') throw failure;
    return (await lookup(host, { all: true })).map(one => one.address);
  };
}

/** Asks once at a time for each name, and keeps the answer for half a minute. */
export function withMemory(resolve: ResolveHost): ResolveHost {
  const known = new Map<string, { addresses: Promise<string[]>; untilMs: number }>();
  return host => {
    const kept = known.get(host);
    if (kept && kept.untilMs > nowMs()) return kept.addresses;
    if (known.size >= namesMax) known.clear();
    const addresses = resolve(host);
    known.set(host, { addresses, untilMs: nowMs() + keptMs });
    addresses.catch(() => {
      if (known.get(host)?.addresses === addresses) known.delete(host);
    });
    return addresses;
  };
}
