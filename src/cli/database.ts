// The database of a command: DATABASE_URL, or the embedded one, which is started for the command unless the program runs.

import { readDatabaseClock } from '../db/database-clock.ts';
import { type Connection, type Db, withPool } from '../db/db.ts';
import { borrowEmbedded } from '../db/embedded/borrow.ts';
import { migrate, requireSchema } from '../db/migrate.ts';
import type { Log } from '../log.ts';
import { useContentKeys } from '../sealing/content.ts';
import { readKeys, readSecretKeyFile } from '../sealing/secrets.ts';
import type { Config } from '../settings/config.ts';

const waitMs = 15_000;

/** `asItIs`: with a schema of any version. Otherwise `migrate` upgrades the schema, and other commands refuse another version. */
export async function withDatabase<T>(
  { name, config, log, asItIs = false }: { name: string; config: Config; log: Log; asItIs?: boolean },
  work: (db: Db, connection: Connection) => Promise<T>,
): Promise<T> {
  const key = config.PEYK_SECRET_KEY ? readKeys(config.PEYK_SECRET_KEY) : readSecretKeyFile(config.PEYK_DATA);
  if (key) useContentKeys(key, config.PEYK_CONTENT);
  const { connection, close } = await borrow(config, log);
  try {
    if (name === 'migrate') await migrate(connection, log);
    else if (!asItIs) await requireSchema(connection);
    return await withPool(connection, `peyk ${name}`, async db => {
      if (!asItIs) await readDatabaseClock(db);
      return work(db, connection);
    });
  } finally {
    await close();
  }
}

async function borrow(config: Config, log: Log): Promise<{ connection: Connection; close(): Promise<void> }> {
  if (config.DATABASE_URL) return { connection: { connectionString: config.DATABASE_URL }, close: async () => {} };
  const binDir = config.PEYK_POSTGRES_BIN || undefined;
  return borrowEmbedded({ dataDir: config.PEYK_DATA, log, waitMs, binDir });
}
