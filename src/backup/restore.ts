// Restores into the data folder of the embedded database: into a folder beside it, which is moved there once the server has
// recovered, so that an interrupted restore is never used. Sending is held afterwards: recognise_home notices the restore.
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Audited, audit } from '../audit/invariants.ts';
import { recogniseHome } from '../db/data-home.ts';
import { readDatabaseClock } from '../db/database-clock.ts';
import { type Db, withPool } from '../db/db.ts';
import { lockData } from '../db/embedded/data-lock.ts';
import { clusterMajor } from '../db/embedded/initialise.ts';
import { layoutOf } from '../db/embedded/layout.ts';
import { startEmbedded } from '../db/embedded/server.ts';
import { migrate } from '../db/migrate.ts';
import type { Log } from '../log.ts';
import { ConfigError } from '../settings/config.ts';
import type { Plan } from './choose.ts';
import { Damaged, type Store } from './store.ts';
import { recoverySettings, unpack } from './unpack.ts';

const lockWaitMs = 15_000;
const recoveryMaxMs = 24 * 3_600_000;

/** `plans`: the next plan is tried when one is damaged. */
type RestoreOptions = { store: Store; plans: Plan[]; dataDir: string; binDir?: string | undefined; log: Log };
/** Read from the newest data, before the data of the moment are restored. `plans`: the newest first. */
export type Later<T> = { plans: Plan[]; read(db: Db): Promise<T> };

/** `finish` changes the restored data before anybody can use them; it gets what `later` has read. */
export async function restoreEmbedded<T, L>(
  options: RestoreOptions,
  later: Later<L> | null,
  finish: (db: Db, read: L | null) => Promise<T>,
): Promise<{ audit: Audited; finished: T; plan: Plan }> {
  const { dataDir } = options;
  const lock = await lockData(dataDir, 'command', lockWaitMs);
  const beside = join(dataDir, 'restoring');
  try {
    const place = layoutOf(dataDir).cluster;
    if (clusterMajor(place) !== null)
      throw new ConfigError(`${dataDir} (PEYK_DATA) holds a database: restore into another folder, or move it away.`);
    const read = later && (await readLater(options, later, beside));
    const { done, plan } = await withFirstWhole(options.plans, options.log, async plan => ({
      plan,
      done: await recovered({ ...options, plan }, beside, async db => {
        await recogniseHome(db, beside);
        return { finished: await finish(db, read), audit: await audit(db) };
      }),
    }));
    if (existsSync(place) && readdirSync(place).length === 0) rmSync(place, { recursive: true });
    renameSync(layoutOf(beside).cluster, place);
    return { ...done, plan };
  } finally {
    // Removed after a failure too.
    rmSync(beside, { recursive: true, force: true });
    lock.release();
  }
}

/** Tries the plans in order while files of one are damaged or missing. */
export async function withFirstWhole<T>(plans: Plan[], log: Log, work: (plan: Plan) => Promise<T>): Promise<T> {
  for (const [i, plan] of plans.entries()) {
    try {
      return await work(plan);
    } catch (error) {
      const next = plans[i + 1];
      if (!(error instanceof Damaged) || !next) throw error;
      const fields = { error: error.message, backup: plan.base.name, next: next.base.name };
      log.warn(fields, 'restore: a backup is damaged, the one before is taken');
    }
  }
  throw new Error('nothing to restore from');
}

/** Later data may be damaged where those of the moment are whole. */
function readLater<L>(options: RestoreOptions, { plans, read }: Later<L>, beside: string): Promise<L | null> {
  const readBy = (plan: Plan) => recovered({ ...options, plan }, beside, read);
  return withFirstWhole(plans, options.log, readBy).catch(error => {
    options.log.warn({ error: error.message }, 'the newest data of the backups could not be read');
    return null;
  });
}

/** Unpacks into this folder, recovers and calls `work`. The server is stopped; its files stay. */
async function recovered<T>(
  { store, plan, binDir, log }: Omit<RestoreOptions, 'plans'> & { plan: Plan },
  folder: string,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  const { cluster } = layoutOf(folder);
  await unpack(store, plan, cluster);
  chmodSync(cluster, 0o700);
  // No other client can connect until it is finished.
  const settings = { hot_standby: 'off' };
  const server = await startEmbedded({
    dataDir: folder,
    log,
    binDir,
    settings,
    reserveBytes: 0,
    readyMs: recoveryMaxMs,
  });
  try {
    await migrate(server.connection, log);
    return await withPool(server.connection, 'peyk restore', async db => {
      for (const name of Object.keys(recoverySettings(plan))) await db.query(`alter system reset ${name}`);
      await readDatabaseClock(db);
      return work(db);
    });
  } finally {
    await server.stop();
  }
}
