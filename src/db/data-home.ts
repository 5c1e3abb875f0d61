// Whether the data are still where they last were: recognise_home_1 compares and, if not, holds dispatch. Asked by the first
// process at each start, and by each new connection that leases, since a server can be replaced by its backup under a
// running program.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type Queryable, row, sql } from './db.ts';
import { layoutOf } from './embedded/layout.ts';

export type HomeReason = 'other-database' | 'other-timeline' | 'other-folder';

const recogniseSql = sql<{ reason: HomeReason | null }>('data home')`select recognise_home_1($1, $2) as reason`;

/** `dataDir`: of the embedded server, null for another. The reason when dispatch was held just now. */
export async function recogniseHome(db: Queryable, dataDir: string | null): Promise<HomeReason | null> {
  const { files, folder } = dataDir === null ? { files: null, folder: null } : filesOf(dataDir);
  return (await row(db, recogniseSql, [files, folder]))!.reason;
}

/** For pools that lease: before anything is asked over it, each connection looks at what it is connected to. */
export const recogniseFirst = (client: Queryable) => recogniseHome(client, null);

/**
 * The numbers by which the file system knows the cluster's folder and the two files in it that PostgreSQL never replaces. A
 * folder that is moved keeps them; one that is copied, unpacked or synchronised from elsewhere does not.
 */
function filesOf(dataDir: string): { files: string; folder: string } {
  const { cluster } = layoutOf(dataDir);
  const paths = [cluster, join(cluster, 'PG_VERSION'), join(cluster, 'global', 'pg_control')];
  return { files: paths.map(path => statSync(path, { bigint: true }).ino).join('.'), folder: cluster };
}
