// The progress of backups, stored for `peyk doctor` and metrics. No decision depends on it.
import { type Queryable, row, run, sql } from '../db/db.ts';

export type BackupState = {
  chain: string;
  baseAt: Date | null;
  reachedAt: Date | null;
  trouble: string | null;
  troubleSince: Date | null;
  /** When the last backup was verified, and what was wrong with it. */
  verifiedAt: Date | null;
  damage: string | null;
};

const readSql = sql<BackupState>('backup state')`
  select chain, base_at as "baseAt", reached_at as "reachedAt", trouble, trouble_since as "troubleSince",
    verified_at as "verifiedAt", damage from backup_state`;
const chainSql = sql('backup state chain')`
  insert into backup_state (chain) values ($1) on conflict (one) do update set chain = $1`;
const baseSql = sql('backup state base')`update backup_state set base_at = $1`;
const reachSql = sql('backup state reach')`
  update backup_state set reached_at = $1, trouble = case when trouble not like 'log: %' then trouble end,
    trouble_since = case when trouble not like 'log: %' then trouble_since end`;
const troubleSql = sql('backup state trouble')`
  insert into backup_state (chain, trouble, trouble_since) values ('', $1::text, case when $1::text is not null then now() end)
  on conflict (one) do update set trouble = $1::text, trouble_since = case when $1::text is not null then coalesce(backup_state.trouble_since, now()) end`;

const forgetSql = sql('backup state forget')`delete from backup_state`;

export async function readBackupState(db: Queryable): Promise<BackupState | null> {
  return (await row(db, readSql)) ?? null;
}

export async function noteChain(db: Queryable, chain: string): Promise<void> {
  await run(db, chainSql, [chain]);
}

export async function noteBase(db: Queryable, at: string): Promise<void> {
  await run(db, baseSql, [at]);
}

const verifiedSql = sql('backup state verified')`update backup_state set verified_at = now(), damage = $1`;

/** `damage` null: the backup is whole. */
export async function noteVerified(db: Queryable, damage: string | null): Promise<void> {
  await run(db, verifiedSql, [damage]);
}

export async function noteReach(db: Queryable, at: string): Promise<void> {
  await run(db, reachSql, [at]);
}

/** null: the failure is over. */
export async function noteTrouble(db: Queryable, text: string | null): Promise<void> {
  await run(db, troubleSql, [text]);
}

/** Backups are switched off. */
export async function forgetBackups(db: Queryable): Promise<void> {
  await run(db, forgetSql);
}
