// `peyk restore`: restores the data of a moment from a backup.
import { resolve } from 'node:path';
import { type Plan, planRestores } from '../backup/choose.ts';
import { openStore } from '../backup/open-store.ts';
import { type Later, restoreEmbedded, withFirstWhole } from '../backup/restore.ts';
import type { Store } from '../backup/store.ts';
import { unpackNew } from '../backup/unpack.ts';
import { replayErasures } from '../privacy/erasures.ts';
import { loadSecretKey, readSecretKeyFile } from '../sealing/secrets.ts';
import type { Config } from '../settings/config.ts';
import { fromTurkeyTime, toTurkeyTime } from '../time/clock.ts';
import { type Command, operator, UsageError } from './command.ts';
import { enterRefusals, type LaterRefusals, laterRefusals } from './later-refusals.ts';

type Restored = {
  restored: string;
  from: string;
  at: string;
  erasures: number;
  /** Opt-outs re-applied because they came after the moment; null: unknown. */
  refusals: number | null;
  audit: { ok: boolean };
};
type Unpacked = { unpacked: string; from: string; at: string; major: number };

export const restoreCommand: Command = {
  words: 'restore',
  args: [],
  flags: {
    at: 'the moment: 2026-11-16T12:00:00Z, or 2026-11-16 15:00:00 in Turkey’s time; default: the end of the archived log',
    'forget-refusals':
      'do not re-apply opt-outs recorded after that moment; by default they are read from the newest data first, which doubles the time',
    from: 'name of the backup to use (peyk backup list); default: the last complete one before that moment',
    into: 'only unpack into this new folder, as the data directory that a PostgreSQL of your own recovers from; for DATABASE_URL',
  },
  switches: ['forget-refusals'],
  help: 'bring the data of that moment back from PEYK_BACKUP into PEYK_DATA, which must hold no database; sending is held until peyk dispatch release',
  database: 'none',
  async run({ config, log, flags }): Promise<Restored | Unpacked> {
    const store = await openStore(config);
    const at = flags['at'] === undefined ? null : momentOf(flags['at']);
    const { plans, damaged } = await planRestores(store, at, flags['from']);
    for (const one of damaged) log.warn({ damaged: one }, 'restore: left out');
    if (flags['into'] !== undefined) {
      const into = flags['into'];
      return withFirstWhole(plans, log, plan => intoFolder(store, plan, into));
    }
    if (config.DATABASE_URL)
      throw new UsageError(
        'The files of the server of DATABASE_URL are its own: restore --into FOLDER makes a data directory that PostgreSQL recovers from.',
      );
    if (!config.PEYK_SECRET_KEY && !readSecretKeyFile(config.PEYK_DATA))
      throw new UsageError(
        `The key that opens the stored secrets is missing: it is no part of backups. Put secret.key into ${config.PEYK_DATA}, or give PEYK_SECRET_KEY.`,
      );
    const binDir = config.PEYK_POSTGRES_BIN || undefined;
    const dataDir = config.PEYK_DATA;
    const later = at && flags['forget-refusals'] === undefined ? await laterOf(store, at) : null;
    const done = await restoreEmbedded({ store, plans, dataDir, binDir, log }, later, async (db, found) => ({
      refusals: at ? found && (await enterRefusals(db, found)) : 0,
      erasures: await replayErasures({ db, key: keyOf(config), actor: operator }, store),
    }));
    if (!done.audit.ok) process.exitCode = 1;
    return {
      restored: dataDir,
      from: done.plan.base.finishedAt,
      at: reached(done.plan),
      ...done.finished,
      audit: done.audit,
    };
  },
  show: (done: Restored | Unpacked) => ('unpacked' in done ? unpackedWords(done) : restoredWords(done)),
};

/** Null if the newest data cannot be restored; older data may still be. */
async function laterOf(store: Store, at: Date): Promise<Later<LaterRefusals> | null> {
  const found = await planRestores(store, null).catch(() => null);
  return found && { plans: found.plans, read: db => laterRefusals(db, at) };
}

async function intoFolder(store: Store, plan: Plan, folder: string): Promise<Unpacked> {
  const unpacked = resolve(folder);
  await unpackNew(store, plan, unpacked);
  return { unpacked, from: plan.base.finishedAt, at: reached(plan), major: plan.base.major };
}

function restoredWords({ restored, from, at, erasures, refusals, audit }: Restored): string {
  return [
    `Restored into ${restored}: the backup of ${local(from)} and the log since, up to ${local(at)}.`,
    `Numbers erased again, because they were erased after that moment: ${erasures}.`,
    refusals === null
      ? 'Who was blacklisted or refused after that moment is not among them: enter them again before you release sending.'
      : `Blacklist entries and refusals entered again, because they came after that moment: ${refusals}.`,
    `Audit: ${audit.ok ? 'ok' : 'FINDINGS, see peyk audit'}.`,
    'Next: peyk start. Nothing is sent until peyk dispatch release: messages that wait may have been sent after that moment.',
  ].join('\n');
}

function unpackedWords({ unpacked, from, at, major }: Unpacked): string {
  return [
    `Unpacked into ${unpacked}: the backup of ${local(from)} and the log since. PostgreSQL ${major} recovers it up to ${local(at)} when it starts:`,
    `  1. chown -R postgres: ${unpacked}, or move it to where the server has its data.`,
    '  2. Its settings: postgresql.conf and pg_hba.conf there are those of the backup; where they lie elsewhere (Debian: /etc/postgresql), bring them.',
    `  3. pg_ctl -D ${unpacked} start. It is done when select pg_is_in_recovery() says f.`,
    '  4. Point DATABASE_URL at it, peyk migrate, peyk audit, peyk start with PEYK_BACKUP: numbers that were erased since are erased again at once. Nothing is sent until peyk dispatch release.',
  ].join('\n');
}

/** The secret key of the restored data. */
function keyOf({ PEYK_DATA, PEYK_SECRET_KEY }: Config) {
  return loadSecretKey(PEYK_DATA, PEYK_SECRET_KEY);
}

function local(time: string): string {
  return toTurkeyTime(new Date(time));
}

function reached({ at, reach, base }: Plan): string {
  return at?.toISOString() ?? reach?.at ?? base.finishedAt;
}

export function momentOf(text: string): Date {
  const local = /^(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d)(?::(\d\d))?$/
    .exec(text)
    ?.slice(1)
    .map(part => Number(part ?? 0));
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = local ?? [];
  const zoned = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text);
  const moment = local ? fromTurkeyTime(year, month, day, hour, minute, second) : zoned ? new Date(text) : null;
  if (!moment || Number.isNaN(moment.getTime()))
    throw new UsageError(
      `"${text}" is not a time: write 2026-11-16T12:00:00Z, or 2026-11-16 15:00:00 in Turkey’s time`,
    );
  return moment;
}
