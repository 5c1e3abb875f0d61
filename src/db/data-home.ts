// Checks that the data are still in the same place: otherwise recognise_home holds dispatch. The first process checks at each start, and
// each new connection that leases does, because a server can be replaced by its backup while the program runs.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type Queryable, row, sql, sqlState } from './db.ts';
import { layoutOf } from './embedded/layout.ts';

export type HomeReason = 'other-database' | 'other-timeline' | 'other-folder';

const recogniseSql = sql<{ reason: HomeReason | null }>('data home')`select recognise_home($1, $2, $3) as reason`;

/**
 * `dataDir`: of the embedded server, otherwise null. `isComplete`: the caller found all of its writes after a failover. Returns the reason
 * if dispatch is held by this call.
 */
export async function recogniseHome(
  db: Queryable,
  dataDir: string | null,
  isComplete = false,
): Promise<HomeReason | null> {
  const { files, folder } = dataDir === null ? { files: null, folder: null } : filesOf(dataDir);
  return (await row(db, recogniseSql, [files, folder, isComplete]))!.reason;
}

const jumpSql = sql('data home jump ids')`select jump_ids()`;

/** Lets ids jump once for each new timeline, so that no id of a lost order is given again. */
export async function jumpIds(db: Queryable): Promise<void> {
  await row(db, jumpSql);
}

const timelineSql = sql<{ timeline: number | null }>('data timeline')`
  select case when not pg_is_in_recovery() then ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint end as timeline`;

/** The timeline changes when a standby takes over or a backup is recovered. null: the server only reads, or refuses to say. */
export async function readTimeline(db: Queryable): Promise<number | null> {
  try {
    return (await row(db, timelineSql))!.timeline;
  } catch (error) {
    if (!sqlState(error)) throw error;
    return null;
  }
}

/**
 * Inodes of the cluster's folder and of two files in it that PostgreSQL never replaces. A moved folder keeps them; a copied, unpacked or
 * synchronised one does not.
 */
function filesOf(dataDir: string): { files: string; folder: string } {
  const { cluster } = layoutOf(dataDir);
  const paths = [cluster, join(cluster, 'PG_VERSION'), join(cluster, 'global', 'pg_control')];
  return { files: paths.map(path => statSync(path, { bigint: true }).ino).join('.'), folder: cluster };
}
