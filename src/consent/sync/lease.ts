// Only one process at a time talks to the registry, because its rates apply per address and ours are counted per client. The
// lease is a session lock of the database, so it ends with the process that holds it.
import type { Db } from '../../db/db.ts';
import { row, run, sql, sqlState } from '../../db/db.ts';

export type Lease = {
  /** The connection that carries the lock broke: another process may already be working. */
  isLost(): boolean;
  release(): Promise<void>;
};

const lockKey = 7_030_011;
const lockNotAvailable = '55P03';

const tryLockSql = sql<{ taken: boolean }>(
  'consent lease try',
)`select pg_try_advisory_lock($1::bigint # lock_salt()) as taken`;
const lockSql = sql('consent lease wait')`select pg_advisory_lock($1::bigint # lock_salt())`;
const unlockSql = sql('consent lease end')`select pg_advisory_unlock($1::bigint # lock_salt())`;
const formerSql = sql<{ agoMs: number }>('consent lease former')`
  select (extract(epoch from now() - released_at) * 1000)::float8 as "agoMs" from consent_sync
  where holder is distinct from $1 and released_at > now() - interval '1 minute'`;
const releasedSql = sql('consent lease released')`update consent_sync set holder = $1, released_at = now()`;

/**
 * Returns null if another process holds the lease and does not release it within `waitMs`. `quietMs` must have passed since
 * another holder used the registry.
 */
export async function takeLease(db: Db, holder: string, quietMs: number, waitMs: number): Promise<Lease | null> {
  const client = await db.connect();
  let lost = false;
  const onError = () => {
    lost = true;
  };
  client.on('error', onError);
  const letGo = (broken?: boolean) => {
    client.off('error', onError);
    client.release(broken);
  };

  async function lock(): Promise<boolean> {
    if (waitMs <= 0) return (await row(client, tryLockSql, [lockKey]))!.taken;
    await client.query(`set lock_timeout = ${Math.ceil(waitMs)}`);
    try {
      await run(client, lockSql, [lockKey]);
      return true;
    } catch (error) {
      if (sqlState(error) === lockNotAvailable) return false;
      throw error;
    } finally {
      await client.query('reset lock_timeout');
    }
  }

  try {
    if (!(await lock())) {
      letGo();
      return null;
    }
    const former = await row(client, formerSql, [holder]);
    if (former && former.agoMs < quietMs)
      await new Promise(resolve => setTimeout(resolve, Math.max(0, quietMs - former.agoMs)));
  } catch (error) {
    // Closing the connection releases the lock in any case, even if we do not know whether we hold it.
    letGo(true);
    throw error;
  }
  return {
    isLost: () => lost,
    async release() {
      try {
        await run(client, releasedSql, [holder]);
        await run(client, unlockSql, [lockKey]);
        letGo();
      } catch {
        letGo(true);
      }
    },
  };
}
