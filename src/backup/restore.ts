// A restore into the data folder of the embedded database: beside its place, and moved there when the server has recovered, so that
// what was interrupted never looks like data. It comes up held: recognise_home_2 sees that history went back.
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Audited, audit } from '../audit/invariants.ts';
import { ConfigError } from '../config.ts';
import { recogniseHome } from '../db/data-home.ts';
import { readDatabaseClock } from '../db/database-clock.ts';
import { type Db, openPool } from '../db/db.ts';
import { lockData } from '../db/embedded/data-lock.ts';
import { clusterMajor } from '../db/embedded/initialise.ts';
import { layoutOf } from '../db/embedded/layout.ts';
import { startEmbedded } from '../db/embedded/server.ts';
import { migrate } from '../db/migrate.ts';
import type { Log } from '../log.ts';
import type { Plan } from './choose.ts';
import type { Store } from './store.ts';
import { recoverySettings, unpack } from './unpack.ts';

const lockWaitMs = 15_000;
const recoveryMaxMs = 24 * 3_600_000;

export type RestoreOptions = { store: Store; plan: Plan; dataDir: string; binDir?: string | undefined; log: Log };

/** `finish`: what is to be done to the data before anybody sees them. */
export async function restoreEmbedded<T>(
  { store, plan, dataDir, binDir, log }: RestoreOptions,
  finish: (db: Db) => Promise<T>,
): Promise<{ audit: Audited; finished: T }> {
  const lock = await lockData(dataDir, 'command', lockWaitMs);
  const beside = join(dataDir, 'restoring');
  try {
    const place = layoutOf(dataDir).cluster;
    if (clusterMajor(place) !== null)
      throw new ConfigError(`${dataDir} (PEYK_DATA) holds a database: restore into another folder, or move it away.`);
    rmSync(beside, { recursive: true, force: true });
    mkdirSync(beside, { mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
    const { cluster } = layoutOf(beside);
    await unpack(store, plan, cluster);
    chmodSync(cluster, 0o700);
    // Nobody is let in before it is done.
    const settings = { hot_standby: 'off' };
    const server = await startEmbedded({
      dataDir: beside,
      log,
      binDir,
      settings,
      ballastBytes: 0,
      readyMs: recoveryMaxMs,
    });
    let done: { audit: Audited; finished: T };
    try {
      await migrate(server.connection, log);
      const db = openPool(server.connection, { max: 4, name: 'peyk restore', onError: () => {} });
      try {
        for (const name of Object.keys(recoverySettings(plan))) await db.query(`alter system reset ${name}`);
        await readDatabaseClock(db);
        await recogniseHome(db, beside);
        done = { finished: await finish(db), audit: await audit(db) };
      } finally {
        await db.end();
      }
    } finally {
      await server.stop();
    }
    if (existsSync(place) && readdirSync(place).length === 0) rmSync(place, { recursive: true });
    renameSync(cluster, place);
    rmSync(beside, { recursive: true, force: true });
    return done;
  } finally {
    lock.release();
  }
}
