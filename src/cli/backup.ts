// Commands about backups: take one now, list them, read them again, remove old ones.
import { listBases, reachOf } from '../backup/catalogue.ts';
import { openStore } from '../backup/open-store.ts';
import { prune } from '../backup/prune.ts';
import { listSlots } from '../backup/slots.ts';
import { noteBase } from '../backup/state.ts';
import { takeBase } from '../backup/take-base.ts';
import { type Verified, verify } from '../backup/verify.ts';
import { toTurkeyTime } from '../clock.ts';
import { type Command, wholeNumber } from './command.ts';

type BackupLine = { finishedAt: string; chain: string; bytes: number; archiveBytes: number; reach: string };

export const backupCommands: Command[] = [
  {
    words: 'backup',
    args: [],
    help: 'take a base backup now, into PEYK_BACKUP; whole by itself, also while nothing archives the log',
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
    help: 'whole backups in PEYK_BACKUP, and from when to when each can be restored',
    database: 'none',
    async run({ config }): Promise<BackupLine[]> {
      const store = await openStore(config);
      const lines: BackupLine[] = [];
      for (const { finishedAt, chain, archiveBytes, parts } of await listBases(store)) {
        const reach = await reachOf(store, chain);
        const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
        lines.push({ finishedAt, chain, bytes, archiveBytes, reach: latest(finishedAt, reach?.at) });
      }
      return lines;
    },
    show: (list: BackupLine[]) =>
      list
        .map(
          one =>
            `${local(one.finishedAt)} – ${local(one.reach)}  ${(one.bytes / 1024 ** 2).toFixed(1)} MiB  ${one.chain}`,
        )
        .join('\n'),
    empty: 'there is no backup',
  },
  {
    words: 'backup verify',
    args: [],
    help: 'read the last backup and the log since from PEYK_BACKUP, every piece with its checksum; exit code 1 when something is wrong',
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
    flags: { days: 'days of which every moment stays restorable; default PEYK_BACKUP_KEEP_DAYS' },
    help: 'remove backups and log that the keep rule no longer needs; the program does it after each backup',
    database: 'none',
    run: async ({ config, flags }) =>
      prune(
        await openStore(config),
        flags['days'] === undefined ? config.PEYK_BACKUP_KEEP_DAYS : wholeNumber(flags['days'], '--days', 1, 3_650),
      ),
  },
];

function latest(one: string, other: string | undefined): string {
  return other && other > one ? other : one;
}

function local(time: string): string {
  return toTurkeyTime(new Date(time));
}
