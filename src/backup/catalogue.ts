// The objects of a store and their names. A chain belongs to one replication slot of one server: base backups, and the log without
// a gap since the first of them. A server that took over, was restored or lost its slot begins another chain, so that two
// histories never share a name.
//   chains/ID/base/TIME/part-00001 …  pieces of the archive, compressed
//   chains/ID/base/TIME/files.json.gz the server's own list of files with checksums
//   chains/ID/base/TIME/backup.json   written last: without it there is no backup
//   chains/ID/log/SEGMENT.gz          finished pieces of the log; SEGMENT.begun.gz: the last one, as far as it is written
//   chains/ID/reach.json              up to which moment the log is there
//   chains/ID/marks/HOUR.json         moments and their positions in the log
//   erasures/…                        erased numbers, to be erased again after a restore
import { isLsn } from './log-position.ts';
import { Damaged, getJson, type Store } from './store.ts';

export type Part = { key: string; bytes: number; sha256: string };
export type Base = {
  chain: string;
  /** From this moment on it can be restored. */
  finishedAt: string;
  startLsn: string;
  endLsn: string;
  timeline: number;
  system: string;
  /** Major version of the server. */
  major: number;
  segmentBytes: number;
  /** Version of the program. */
  program: string;
  archiveBytes: number;
  parts: Part[];
};
/** Every order answered before `at` is in the log up to `lsn`. */
export type Reach = { at: string; lsn: string; timeline: number };

const baseFile = 'backup.json';

export const names = {
  chain: (chain: string) => `chains/${chain}/`,
  base: (chain: string, id: string) => `chains/${chain}/base/${id}/`,
  baseFile: (folder: string) => `${folder}${baseFile}`,
  log: (chain: string, segment: string) => `chains/${chain}/log/${segment}.gz`,
  begun: (chain: string, segment: string) => `chains/${chain}/log/${segment}.begun.gz`,
  logs: (chain: string) => `chains/${chain}/log/`,
  allMarks: (chain: string) => `chains/${chain}/marks/`,
  /** `at`: a moment of the hour. */
  marks: (chain: string, at: string) => `chains/${chain}/marks/${at.slice(0, 13)}.json`,
  reach: (chain: string) => `chains/${chain}/reach.json`,
  erasures: 'erasures/',
};

/** `folder`: the prefix of its objects; `name`: its name in commands. */
export type ListedBase = Base & { folder: string; name: string };
/** `damaged`: unreadable files, and why. */
type Catalogue = { bases: ListedBase[]; damaged: { key: string; why: string }[] };

/** Whole ones only, oldest first. */
export async function listBases(store: Store): Promise<ListedBase[]> {
  return (await readCatalogue(store)).bases;
}

export async function readCatalogue(store: Store): Promise<Catalogue> {
  const { bases, damaged }: Catalogue = { bases: [], damaged: [] };
  for (const { key } of await store.list('chains/')) {
    if (!key.endsWith(`/${baseFile}`)) continue;
    const folder = key.slice(0, -baseFile.length);
    try {
      const base = await getJson<Base>(store, key);
      if (base && !isBase(base)) throw new Damaged(`${key} is damaged: it does not describe a backup`);
      if (base) bases.push({ ...base, folder, name: folder.split('/').at(-2)! });
    } catch (error) {
      if (!(error instanceof Damaged)) throw error;
      damaged.push({ key, why: error.message });
    }
  }
  return { bases: bases.sort((a, b) => a.finishedAt.localeCompare(b.finishedAt)), damaged };
}

/** A flipped bit may leave JSON of other values: none of them may fail a command that only reads the list. */
function isBase({ chain, finishedAt, startLsn, timeline, segmentBytes, parts }: Base): boolean {
  const isPart = (part: Part | null) => typeof part?.key === 'string' && part.bytes >= 0;
  return (
    typeof chain === 'string' &&
    isMoment(finishedAt) &&
    isLsn(startLsn) &&
    [timeline, segmentBytes].every(one => Number.isSafeInteger(one) && one > 0) &&
    Array.isArray(parts) &&
    parts.every(isPart)
  );
}

/** Also of marks: a moment and its position in the log. */
export function isReach(given: Pick<Reach, 'at' | 'lsn'> | null): boolean {
  return isMoment(given?.at) && isLsn(given?.lsn);
}

function isMoment(given: unknown): boolean {
  return typeof given === 'string' && !Number.isNaN(Date.parse(given));
}

/** `damaged`: the file exists and cannot be read. */
export async function reachOf(store: Store, chain: string): Promise<Reach | 'damaged' | null> {
  try {
    const reach = await getJson<Reach>(store, names.reach(chain));
    return reach && !isReach(reach) ? 'damaged' : reach;
  } catch (error) {
    if (error instanceof Damaged) return 'damaged';
    throw error;
  }
}

/** `20261116T120000123Z`: sorts by time; the name of a backup is when it was begun. */
export function timestamp(time: Date): string {
  return time.toISOString().replace(/[-:.]/g, '');
}
