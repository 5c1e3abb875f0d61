// Which backup a moment is restored from: the last one that was finished before it, if the log since reaches that far.
import { type ListedBase, listBases, names, type Reach, reachOf } from './catalogue.ts';
import { positionOf, segmentName, segmentStart } from './log-position.ts';
import type { Store } from './store.ts';

/** `at` null: as far as it goes. `log`: what is to be replayed, in order. */
export type Plan = { base: ListedBase; at: Date | null; reach: Reach | null; log: LogPart[] };
export type LogPart = { segment: string; key: string };
/** Of a base backup: where its log begins. */
type LogStart = Pick<ListedBase, 'chain' | 'timeline' | 'segmentBytes' | 'startLsn'>;

export class NotRestorable extends Error {}

export async function planRestore(store: Store, at: Date | null): Promise<Plan> {
  const bases = await listBases(store);
  if (bases.length === 0) throw new NotRestorable(`There is no whole backup in ${store.place}.`);
  const base = at ? bases.findLast(one => Date.parse(one.finishedAt) <= at.getTime()) : bases.at(-1);
  if (!base)
    throw new NotRestorable(
      `The oldest backup was finished at ${bases[0]!.finishedAt}; nothing before can be restored.`,
    );
  const reach = await reachOf(store, base.chain);
  if (at && (!reach || Date.parse(reach.at) < at.getTime()))
    throw new NotRestorable(
      `The log that follows the backup of ${base.finishedAt} reaches to ${reach?.at ?? base.finishedAt}: choose a moment before, or leave --at out for all of it.`,
    );
  return { base, at, reach, log: await logSince(store, base, reach) };
}

/** Without a gap, or not at all: a recovery would end at the gap without a word. */
export async function logSince(store: Store, base: LogStart, reach: Reach | null): Promise<LogPart[]> {
  if (!reach) return [];
  const { chain, timeline, segmentBytes } = base;
  const keys = new Set((await store.list(names.logs(chain))).map(one => one.key));
  const parts: LogPart[] = [];
  const end = positionOf(reach.lsn);
  for (let at = segmentStart(positionOf(base.startLsn), segmentBytes); at < end; at += BigInt(segmentBytes)) {
    const segment = segmentName(timeline, at, segmentBytes);
    const key = [names.log(chain, segment), names.begun(chain, segment)].find(one => keys.has(one));
    if (!key) throw new NotRestorable(`The log in ${store.place} has a gap: ${names.log(chain, segment)} is missing.`);
    parts.push({ segment, key });
  }
  return parts;
}
