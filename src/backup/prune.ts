// The keep rule: every moment of the last N days stays restorable. So all base backups of these days stay, the last one before them,
// and the log since. backup.json is removed first, so that a half-removed backup never counts as whole.
import { nowMs } from '../time/clock.ts';
import { type ListedBase, names, readCatalogue, timestamp } from './catalogue.ts';
import { positionOf, segmentName } from './log-position.ts';
import type { Store } from './store.ts';

const dayMs = 86_400_000;

type Pruned = { bases: number; objects: number };

export async function prune(store: Store, keepDays: number): Promise<Pruned> {
  const { bases, damaged } = await readCatalogue(store);
  const since = timestamp(new Date(nowMs() - keepDays * dayMs));
  /** Damaged backups are kept as long as whole ones, because somebody may repair them. */
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
    // Erased before every moment that can still be restored.
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

/** Objects that no kept backup needs. A chain without a backup stays: its first one may be under way. */
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

/** A backup to remove: past the keep rule, or begun a day ago and still not finished. */
function isOver(begun: string, key: string, all: ListedBase[]): boolean {
  return all.some(base => key.startsWith(base.folder)) || begun < timestamp(new Date(nowMs() - dayMs));
}
