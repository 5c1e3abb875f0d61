// `peyk restore`: a backup back as data, as they were at a moment.
import { type Plan, planRestore } from '../backup/choose.ts';
import { openStore } from '../backup/open-store.ts';
import { restoreEmbedded } from '../backup/restore.ts';
import { fromTurkeyTime, toTurkeyTime } from '../clock.ts';
import { readSecretKeyFile } from '../secrets.ts';
import { type Command, UsageError } from './command.ts';

type Restored = { restored: string; from: string; at: string; held: true; audit: { ok: boolean } };

export const restoreCommand: Command = {
  words: 'restore',
  args: [],
  flags: {
    at: 'the moment: 2026-11-16T12:00:00Z, or 2026-11-16 15:00:00 in Turkey’s time; default: as late as the backup reaches',
  },
  help: 'bring the data of that moment back from PEYK_BACKUP into PEYK_DATA, which must hold no database; sending is held until peyk dispatch release',
  database: 'none',
  async run({ config, log, flags }): Promise<Restored> {
    const store = await openStore(config);
    const plan = await planRestore(store, flags['at'] === undefined ? null : momentOf(flags['at']));
    if (!config.PEYK_SECRET_KEY && !readSecretKeyFile(config.PEYK_DATA))
      throw new UsageError(
        `The key that opens the stored secrets is missing: it is no part of backups. Put secret.key into ${config.PEYK_DATA}, or give PEYK_SECRET_KEY.`,
      );
    const binDir = config.PEYK_POSTGRES_BIN || undefined;
    const dataDir = config.PEYK_DATA;
    const done = await restoreEmbedded({ store, plan, dataDir, binDir, log }, async () => {});
    if (!done.audit.ok) process.exitCode = 1;
    return { restored: dataDir, from: plan.base.finishedAt, at: reached(plan), held: true, audit: done.audit };
  },
  show: ({ restored, from, at, audit }: Restored) =>
    [
      `Restored into ${restored}: the backup of ${toTurkeyTime(new Date(from))} and the log since, up to ${toTurkeyTime(new Date(at))}.`,
      `Audit: ${audit.ok ? 'ok' : 'FINDINGS, see peyk audit'}.`,
      'Next: peyk start. Nothing is sent until peyk dispatch release: messages that wait may have been sent after that moment.',
    ].join('\n'),
};

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
    throw new UsageError(`"${text}" is no moment: 2026-11-16T12:00:00Z, or 2026-11-16 15:00:00 in Turkey’s time`);
  return moment;
}
