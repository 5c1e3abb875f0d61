// Whether the data are still where they last were: recognise_home compares and, if not, holds dispatch. Asked by the first
// process at each start, and by each new connection that leases, since a server can be replaced by its backup under a
// running program.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type Queryable, row, sql, sqlState } from './db.ts';
import { layoutOf } from './embedded/layout.ts';

export type HomeReason = 'other-database' | 'other-timeline' | 'other-folder';

const recogniseSql = sql<{ reason: HomeReason | null }>('data home')`select recognise_home($1, $2, $3) as reason`;

/**
 * `dataDir`: of the embedded server, null for another. `vouched`: a standby that took over has everything that we know of. The
 * reason when dispatch was held just now.
 */
export async function recogniseHome(
  db: Queryable,
  dataDir: string | null,
  vouched = false,
): Promise<HomeReason | null> {
  const { files, folder } = dataDir === null ? { files: null, folder: null } : filesOf(dataDir);
  return (await row(db, recogniseSql, [files, folder, vouched]))!.reason;
}

const jumpSql = sql('data home jump ids')`select jump_ids()`;

/** Lets ids jump once for each new timeline, so that no id of a lost order is given again. */
export async function jumpIds(db: Queryable): Promise<void> {
  await row(db, jumpSql);
}

const timelineSql = sql<{ timeline: number | null }>('data timeline')`
  select case when not pg_is_in_recovery() then ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint end as timeline`;

/** It changes when a standby takes over or a backup is recovered. null: the server only reads, or does not tell. */
export async function readTimeline(db: Queryable): Promise<number | null> {
  try {
    return (await row(db, timelineSql))!.timeline;
  } catch (error) {
    if (!sqlState(error)) throw error;
    return null;
  }
}

/**
 * The numbers by which the file system knows the cluster's folder and the two files in it that PostgreSQL never replaces. A
 * folder that is moved keeps them; one that is copied, unpacked or synchronised from elsewhere does not.
 */
function filesOf(dataDir: string): { files: string; folder: string } {
  const { cluster } = layoutOf(dataDir);
  const paths = [cluster, join(cluster, 'PG_VERSION'), join(cluster, 'global', 'pg_control')];
  return { files: paths.map(path => statSync(path, { bigint: true }).ino).join('.'), folder: cluster };
}
