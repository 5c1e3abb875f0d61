// The dispatcher process of a node.
import { followDatabaseClock } from '../db/database-clock.ts';
import { openPool } from '../db/db.ts';
import { ChunkProgress } from '../queue/chunk-progress.ts';
import { FailoverCheck } from '../queue/failover-check.ts';
import { loadSecretKey } from '../sealing/secrets.ts';
import { startDispatcher } from '../sending/dispatcher.ts';
import { openCellPools } from './cell-pools.ts';
import { poolSizes } from './connections.ts';
import type { Child, Running } from './running.ts';
import { startTasks } from './tasks.ts';

export async function startDispatchRole(child: Child): Promise<Running> {
  const { config, log, task } = child;
  const onError = (error: Error) => log.warn({ cell: task.cell, error: error.message }, 'database connection lost');
  const failover = new FailoverCheck(log, { leases: true });
  const first = failover.look;
  const db = openPool(task.connection, { max: poolSizes.dispatch, name: 'peyk dispatch', onError, first });
  const leases = openPool(task.connection, { max: poolSizes.leases, name: 'peyk leases', onError, first });
  const receipts = openPool(task.connection, { max: poolSizes.receipts, name: 'peyk receipts', onError, first });
  const clock = await followDatabaseClock(db, log);
  const key = loadSecretKey(config.PEYK_DATA, config.PEYK_SECRET_KEY);
  const others = await openCellPools(child, db);
  const parts = { db, connection: task.connection, key, config, log, cell: task.cell, cells: others.cells };
  const dispatcher = await startDispatcher({
    ...parts,
    leases,
    receipts,
    failover,
    deadDispatchers: task.deadDispatchers,
    progress: new ChunkProgress(task.progressFile),
    onIdentity: id => child.send({ type: 'dispatcher', id }),
  });
  const tasks = await startTasks(['dispatch'], parts);
  return {
    async stop() {
      await tasks.stop();
      await dispatcher.stop();
      await Promise.all([clock.stop(), others.stop()]);
      await Promise.all([db.end(), leases.end(), receipts.end()]);
    },
  };
}
