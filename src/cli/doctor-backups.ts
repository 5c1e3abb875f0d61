// The doctor's checks of backups: whether there is one, whether it is recent, whether the archive keeps up, and whether
// it can fill the disk.
import { listSlots } from '../backup/slots.ts';
import { type BackupState, readBackupState } from '../backup/state.ts';
import { type Db, row, sql } from '../db/db.ts';
import type { Config } from '../settings/config.ts';
import { nowMs, toTurkeyTime } from '../time/clock.ts';

const hourMs = 3_600_000;
const behindMaxMs = 10 * 60_000;

const boundSql = sql<{ bound: string }>('doctor slot bound')`
  select current_setting('max_slot_wal_keep_size') as bound`;

export async function backupsAtWork({ db, config }: { db: Db; config: Config }) {
  const slots = await listSlots(db);
  if (config.PEYK_BACKUP === '') {
    const idle = slots.filter(slot => !slot.isActive);
    const wrong = idle.map(slot => `the replication slot ${slot.name} of former backups keeps the log for nobody`);
    return { saw: 'none: PEYK_BACKUP is not set', wrong };
  }
  const state = await readBackupState(db);
  const { bound } = (await row(db, boundSql))!;
  const wrong = backupTroubles(state, config);
  if (bound === '-1')
    wrong.push('max_slot_wal_keep_size is -1: while the target is away, the kept log may fill the database’s disk');
  const mib = Math.round(Math.max(0, ...slots.map(slot => slot.backlogBytes)) / 1024 ** 2);
  return { saw: `last ${shown(state?.baseAt)}, archived to ${shown(state?.reachedAt)}, ${mib} MiB kept`, wrong };
}

function backupTroubles(state: BackupState | null, config: Config): string[] {
  const { baseAt = null, reachedAt = null, trouble = null, troubleSince = null, damage = null } = state ?? {};
  const wrong: string[] = [];
  if (!baseAt) wrong.push('there is no backup yet');
  else if (nowMs() - baseAt.getTime() > 2 * config.PEYK_BACKUP_EVERY_HOURS * hourMs)
    wrong.push(`the last backup is of ${shown(baseAt)}`);
  const behindMs = Math.max(behindMaxMs, 5_000 * config.PEYK_BACKUP_LAG_SECONDS);
  if (baseAt && (!reachedAt || nowMs() - reachedAt.getTime() > behindMs))
    wrong.push(`the log is archived only to ${shown(reachedAt)}`);
  if (damage) wrong.push(`the last backup is damaged: ${damage}`);
  if (trouble) wrong.push(`backups fail since ${shown(troubleSince)}: ${trouble}`);
  return wrong;
}

function shown(time: Date | null | undefined): string {
  return time ? toTurkeyTime(time) : 'never';
}
