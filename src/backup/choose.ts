// Chooses the backup for a moment: the last one finished before it whose log reaches that far. A damaged backup is reported, and the
// one before it is used.
import { type ListedBase, names, type Reach, reachOf, readCatalogue } from './catalogue.ts';
import { positionOf, segmentName, segmentStart } from './log-position.ts';
import { lastMark, markAfter } from './marks.ts';
import type { Store } from './store.ts';

/** `at` null: to the end of the log. `log`: the segments to replay, in order. */
export type Plan = { base: ListedBase; at: Date | null; reach: Reach | null; log: LogPart[] };
/** `plans`: the best first. `damaged`: sentences about unreadable files. */
type Plans = { plans: [Plan, ...Plan[]]; damaged: string[] };
export type LogPart = { segment: string; key: string };
/** The first segment that a base backup needs. */
type LogStart = Pick<ListedBase, 'chain' | 'timeline' | 'segmentBytes' | 'startLsn'>;

export class NotRestorable extends Error {}

/** `from`: the name of the backup to use; by default the last one that fits. */
export async function planRestores(store: Store, at: Date | null, from?: string): Promise<Plans> {
  const { bases, damaged } = await readCatalogue(store);
  const wrong = damaged.map(one => one.why);
  const damage = wrong.length > 0 ? ` (${wrong.join('; ')})` : '';
  if (bases.length === 0) throw new NotRestorable(`There is no whole backup in ${store.place}.${damage}`);
  const wanted = from === undefined ? bases : bases.filter(base => base.name === from || base.finishedAt === from);
  if (wanted.length === 0)
    throw new NotRestorable(`There is no backup ${from}: peyk backup list shows their names.${damage}`);
  const before = at ? wanted.filter(one => Date.parse(one.finishedAt) <= at.getTime()) : wanted;
  if (before.length === 0)
    throw new NotRestorable(
      `The oldest backup was finished at ${wanted[0]!.finishedAt}; nothing before can be restored.${damage}`,
    );
  const plans: Plan[] = [];
  for (const base of before.reverse()) {
    try {
      const missing = await missingPart(store, base);
      if (missing) throw new NotRestorable(`${missing} is missing.`);
      plans.push(await planFrom(store, base, at));
    } catch (error) {
      if (!(error instanceof NotRestorable)) throw error;
      wrong.push(error.message);
    }
  }
  const [first, ...more] = plans;
  if (!first) throw new NotRestorable(wrong.join('\n'));
  return { plans: [first, ...more], damaged: wrong };
}

async function planFrom(store: Store, base: ListedBase, at: Date | null): Promise<Plan> {
  const reach = await requireReach(store, base.chain);
  if (at && (!reach || Date.parse(reach.at) < at.getTime()))
    throw new NotRestorable(
      `The log that follows the backup of ${base.finishedAt} reaches to ${reach?.at ?? base.finishedAt}: choose a moment before, or leave --at out for all of it.`,
    );
  // The first commit after the moment ends the recovery, so later segments are not fetched.
  const end = at && (await markAfter(store, base.chain, at));
  return { base, at, reach, log: await logSince(store, base, end ?? reach) };
}

/** The end of the log. Where reach.json is damaged, the marks give it. */
export async function requireReach(store: Store, chain: string): Promise<Reach | null> {
  const reach = await reachOf(store, chain);
  if (reach !== 'damaged') return reach;
  const mark = await lastMark(store, chain);
  if (!mark)
    throw new NotRestorable(`${names.reach(chain)} is damaged, and nothing else says how far the log reaches.`);
  return { ...mark, timeline: 0 };
}

/** By the names in the list; checksums are compared when the pieces are read. */
export async function missingPart(store: Store, { parts, folder }: ListedBase): Promise<string | null> {
  const there = new Set((await store.list(folder)).map(one => one.key));
  return parts.find(({ key }) => !there.has(key))?.key ?? null;
}

/** Segments without a gap, or none: a recovery would end at the gap without an error. */
export async function logSince(store: Store, base: LogStart, end: Pick<Reach, 'lsn'> | null): Promise<LogPart[]> {
  const { parts, gap } = await logParts(store, base, end);
  if (gap) throw new NotRestorable(`The log in ${store.place} has a gap: ${gap.key} is missing.`);
  return parts;
}

/** The segments up to the first gap. `gap`: the first missing segment, and where it begins. */
export async function logParts(
  store: Store,
  { chain, timeline, segmentBytes, startLsn }: LogStart,
  reach: Pick<Reach, 'lsn'> | null,
): Promise<{ parts: LogPart[]; gap: { key: string; position: bigint } | null }> {
  const parts: LogPart[] = [];
  if (!reach) return { parts, gap: null };
  const keys = new Set((await store.list(names.logs(chain))).map(one => one.key));
  const end = positionOf(reach.lsn);
  for (let at = segmentStart(positionOf(startLsn), segmentBytes); at < end; at += BigInt(segmentBytes)) {
    const segment = segmentName(timeline, at, segmentBytes);
    const key = [names.log(chain, segment), names.begun(chain, segment)].find(one => keys.has(one));
    if (!key) return { parts, gap: { key: names.log(chain, segment), position: at } };
    parts.push({ segment, key });
  }
  return { parts, gap: null };
}
