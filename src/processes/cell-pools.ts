// Pools to all cells, for a process that works in one of them: it forwards what arrived at the wrong cell and notifies people
// at home.
import { type CellPart, CellParts } from '../cells/cell-parts.ts';
import { home } from '../cells/directory.ts';
import { type Connection, type Db, openPool } from '../db/db.ts';
import { FailoverCheck } from '../queue/failover-check.ts';
import { loadSecretKey } from '../sealing/secrets.ts';
import { poolSizes } from './connections.ts';
import type { Child } from './running.ts';

/** `db`: the pool of the cell that the process works in. */
export async function openCellPools(
  { config, log, task }: Child,
  db: Db,
): Promise<{ cells: CellParts<CellPart>; stop(): Promise<void> }> {
  const open = (connection: Connection, cell: number): CellPart => {
    const onError = (error: Error) => log.warn({ cell, error: error.message }, 'database connection lost');
    const first = new FailoverCheck(log, { leases: false }).look;
    const pool = openPool(connection, { max: poolSizes.cells, name: 'peyk cells', onError, first });
    return { db: pool, stop: () => pool.end() };
  };
  const own: CellPart = { db, stop: async () => {} };
  const ofHome = task.cell === home ? own : open(task.home, home);
  const key = loadSecretKey(config.PEYK_DATA, config.PEYK_SECRET_KEY);
  const cells = new CellParts(ofHome, {
    homeDb: ofHome.db,
    key,
    log,
    open: (connection, cell) => (cell === task.cell ? own : open(connection, cell)),
  });
  await cells.start();
  return {
    cells,
    async stop() {
      await cells.stop();
      await ofHome.stop();
    },
  };
}
