// Commands about backups: take, list, verify and remove them.

import type { ListedBase } from '../backup/catalogue.ts';
import { readCatalogue } from '../backup/catalogue.ts';
import { logParts, missingPart, requireReach } from '../backup/choose.ts';
import { positionOf } from '../backup/log-position.ts';
import { lastMark } from '../backup/marks.ts';
import { openStore } from '../backup/open-store.ts';
import { prune } from '../backup/prune.ts';
import { listSlots } from '../backup/slots.ts';
import { noteBase } from '../backup/state.ts';
import type { Store } from '../backup/store.ts';
import { takeBase } from '../backup/take-base.ts';
import { type Verified, verify } from '../backup/verify.ts';
import { toTurkeyTime } from '../time/clock.ts';
import { type Command, wholeNumber } from './command.ts';

type BackupLine = {
  name: string;
  finishedAt: string;
  chain: string;
  bytes: number;
  archiveBytes: number;
  reach: string;
  /** A missing piece of the backup itself: nothing can be restored from it. */
  missing: string | null;
  /** The first missing segment of the log: data before it can be restored. */
  gap: string | null;
};
type BackupList = { backups: BackupLine[]; damaged: string[] };

export const backupCommands: Command[] = [
  {
    words: 'backup',
    args: [],
    help: 'take a base backup now, into PEYK_BACKUP; it can be restored even if nothing archives the log',
    async run({ db, config, connection, cell }) {
      const store = await openStore(config, cell);
      const slot = (await listSlots(db)).find(one => !one.isLost);
      const base = await takeBase({ db, connection, store, chain: slot?.chain ?? 'alone' });
      await noteBase(db, base.finishedAt);
      const { finishedAt, chain, archiveBytes, parts } = base;
      const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
      return { finishedAt, chain, bytes, archiveBytes, isArchived: slot?.isActive ?? false };
    },
  },
  {
    words: 'backup list',
    args: [],
    help: 'complete backups in PEYK_BACKUP, and the range of time that each can restore',
    database: 'none',
    async run({ config }): Promise<BackupList> {
      const store = await openStore(config);
      const { bases, damaged } = await readCatalogue(store);
      const backups = await Promise.all(bases.map(base => lineOf(store, base)));
      return { backups, damaged: damaged.map(one => one.why) };
    },
    show: ({ backups, damaged }: BackupList) =>
      [...(backups.length === 0 ? ['there is no backup'] : backups.map(shownLine)), ...damaged].join('\n'),
  },
  {
    words: 'backup verify',
    args: [],
    help: 'read the last backup and the log since from PEYK_BACKUP and compare all checksums; exit code 1 if something is wrong',
    database: 'none',
    async run({ config }) {
      const result = await verify(await openStore(config));
      if (!result.ok) process.exitCode = 1;
      return result;
    },
    show: ({ ok, wrong, files, segments, from, to }: Verified) =>
      ok ? `ok: ${files} files, ${segments} segments of log, ${local(from)} – ${local(to)}` : wrong.join('\n'),
  },
  {
    words: 'backup prune',
    args: [],
    flags: { days: 'days of which every moment must stay restorable; default PEYK_BACKUP_KEEP_DAYS' },
    help: 'remove backups and log that are no longer needed; the program does this after each backup',
    database: 'none',
    run: async ({ config, flags }) =>
      prune(
        await openStore(config),
        flags['days'] === undefined ? config.PEYK_BACKUP_KEEP_DAYS : wholeNumber(flags['days'], '--days', 1, 3_650),
      ),
  },
];

async function lineOf(store: Store, base: ListedBase): Promise<BackupLine> {
  const { name, finishedAt, chain, archiveBytes, parts } = base;
  const reach = await requireReach(store, chain).catch(() => null);
  const missing = await missingPart(store, base);
  const { gap } = await logParts(store, base, reach);
  const reached = gap ? await lastMark(store, chain, mark => positionOf(mark.lsn) <= gap.position) : reach;
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
  return {
    name,
    finishedAt,
    chain,
    bytes,
    archiveBytes,
    reach: latest(finishedAt, reached?.at),
    missing,
    gap: gap?.key ?? null,
  };
}

function shownLine({ name, finishedAt, reach, bytes, chain, missing, gap }: BackupLine): string {
  const line = `${local(finishedAt)} – ${local(reach)}  ${(bytes / 1024 ** 2).toFixed(1)} MiB  ${name}  ${chain}`;
  if (missing) return `${line}  USELESS: ${missing} is missing`;
  return gap ? `${line}  GAP: ${gap} is missing` : line;
}

function latest(one: string, other: string | undefined): string {
  return other && other > one ? other : one;
}

function local(time: string): string {
  return toTurkeyTime(new Date(time));
}
