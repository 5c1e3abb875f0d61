// The keep rule: every moment of the last so many days stays restorable. So all base backups of these days stay, the last one before
// them, and the log since the oldest that stays. The file that makes a backup goes first, so that no half of one is taken for whole.
import { nowMs } from '../time/clock.ts';
import { type ListedBase, names, readCatalogue, timestamp } from './catalogue.ts';
import { positionOf, segmentName } from './log-position.ts';
import type { Store } from './store.ts';

const dayMs = 86_400_000;

type Pruned = { bases: number; objects: number };

export async function prune(store: Store, keepDays: number): Promise<Pruned> {
  const { bases, damaged } = await readCatalogue(store);
  const since = timestamp(new Date(nowMs() - keepDays * dayMs));
  /** Damaged ones are kept as long as whole ones: somebody may repair them. */
  const spared = damaged
    .map(one => one.key.slice(0, one.key.lastIndexOf('/') + 1))
    .filter(one => one.split('/')[3]! >= since);
  const { kept, gone } = divide(bases, new Date(nowMs() - keepDays * dayMs).toISOString());
  if (kept.length === 0) return { bases: 0, objects: 0 };
  for (const base of gone) await store.remove(names.baseFile(base.folder));
  let objects = 0;
  for (const { key } of await store.list('chains/')) {
    if (spared.some(folder => key.startsWith(folder)) || !isOrphan(key, bases, kept)) continue;
    await store.remove(key);
    objects++;
  }
  const needed = timestamp(new Date(Date.parse(kept[0]!.finishedAt) - dayMs));
  for (const { key } of await store.list(names.erasures)) {
    // Done in everything that can still be restored.
    if (key.slice(names.erasures.length) >= needed) continue;
    await store.remove(key);
    objects++;
  }
  return { bases: gone.length, objects };
}

/** `since`: any moment from there on must stay restorable; bases come oldest first. */
function divide(bases: ListedBase[], since: string): { kept: ListedBase[]; gone: ListedBase[] } {
  const first = Math.max(
    0,
    bases.findLastIndex(base => base.finishedAt <= since),
  );
  return { kept: bases.slice(first), gone: bases.slice(0, first) };
}

/** What no kept backup needs. Chains without any backup are left alone: they may be beginning. */
function isOrphan(key: string, all: ListedBase[], kept: ListedBase[]): boolean {
  const [, chain, kind, name = ''] = key.split('/');
  if (!all.some(base => base.chain === chain)) return false;
  const own = kept.filter(base => base.chain === chain);
  if (own.length === 0) return true;
  if (kind === 'base') return !own.some(base => key.startsWith(base.folder)) && isOver(name, key, all);
  const { timeline, startLsn, segmentBytes, finishedAt } = own[0]!;
  if (kind === 'marks') return key < names.marks(chain!, finishedAt);
  return kind === 'log' && name.slice(0, 24) < segmentName(timeline, positionOf(startLsn), segmentBytes);
}

/** A backup that goes; or one that was begun a day ago and is not whole, so it never will be. */
function isOver(begun: string, key: string, all: ListedBase[]): boolean {
  return all.some(base => key.startsWith(base.folder)) || begun < timestamp(new Date(nowMs() - dayMs));
}
