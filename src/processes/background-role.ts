// The process of a node for webhooks, the consent registry and other background tasks: src/processes/tasks.ts.
import { followDatabaseClock } from '../db/database-clock.ts';
import { openPool } from '../db/db.ts';
import { FailoverCheck } from '../queue/failover-check.ts';
import { loadSecretKey } from '../sealing/secrets.ts';
import { openCellPools } from './cell-pools.ts';
import { poolSizes } from './connections.ts';
import type { Child, Running } from './running.ts';
import { startTasks } from './tasks.ts';

const ownRoles = ['webhooks', 'consent'] as const;

export async function startBackground(child: Child): Promise<Running> {
  const { config, log, task } = child;
  const { connection } = task;
  const onError = (error: Error) => log.warn({ cell: task.cell, error: error.message }, 'database connection lost');
  const first = new FailoverCheck(log, { leases: false }).look;
  const db = openPool(connection, { max: poolSizes.background, name: 'peyk background', onError, first });
  const key = loadSecretKey(config.PEYK_DATA, config.PEYK_SECRET_KEY);
  const clock = await followDatabaseClock(db, log);
  const roles = ownRoles.filter(role => config.PEYK_ROLES.includes(role));
  const others = await openCellPools(child, db);
  const { cells } = others;
  const parts = { db, connection, config, key, log, cell: task.cell, cells };
  const tasks = await startTasks([...roles, 'background'], parts);
  return {
    async stop() {
      await Promise.all([tasks.stop(), clock.stop()]);
      await others.stop();
      await db.end();
    },
  };
}
