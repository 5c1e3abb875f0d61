// Removes a cell from the directory: it must be drained, have no accounts, and store no receipts for accounts of other
// cells. The other cells get its binds when its links have ended.
import { setTimeout as pause } from 'node:timers/promises';
import { readSharedCarriers, setCarrierShare } from '../carriers/carrier-copies.ts';
import { type Db, row, sql, withPool } from '../db/db.ts';
import type { SecretKey } from '../sealing/secrets.ts';
import { monotonicMs } from '../time/clock.ts';
import { announceCells, CellFault, hasCells, home, readCells, takeCellOut } from './directory.ts';
import { forgetShares } from './share-carriers.ts';

const unbindMaxMs = 60_000;
const pollMs = 500;

const livingSql = sql<{ accounts: number }>('cell living')`
  select (select count(*) from account_cells where cell = $1 or moving_to = $1)::int
    + (select count(*) from account_moves where from_cell = $1 and step = 'moved')::int as accounts`;
// They may belong to accounts of other cells and are offered to them within seconds.
const expectedSql = sql<{ receipts: number }>('cell expects')`
  select count(*)::int as receipts from receipts where not offered`;

type RemoveOptions = {
  key: SecretKey;
  /** The database is lost, so it is not queried. */
  isGone: boolean;
};

/** Can be repeated after an interruption. */
export async function removeCell(homeDb: Db, id: number, { key, isGone }: RemoveOptions): Promise<void> {
  if (id === home) throw new CellFault('cell 0 is the home itself');
  const cell = (await readCells(homeDb, key)).find(one => one.id === id);
  const take = async (db: Db | null) => {
    if (cell) await requireEmpty(homeDb, id, cell.draining, db);
    if (!(await takeCellOut(homeDb, id))) throw new CellFault(`there is no cell ${id}`);
    await announceCells(homeDb);
    if (db) await unbound(db, id);
  };
  await (cell && !isGone ? withPool(cell.connection!, 'peyk cell remove', take) : take(null));
  await forgetShares(homeDb, id);
  if (await hasCells(homeDb)) return;
  for (const carrier of await readSharedCarriers(homeDb)) await setCarrierShare(homeDb, carrier.id, null);
  await forgetShares(homeDb, home);
}

async function requireEmpty(homeDb: Db, id: number, draining: boolean, db: Db | null): Promise<void> {
  if (!draining) throw new CellFault(`new accounts would come: peyk cell drain ${id} first`);
  const { accounts } = (await row(homeDb, livingSql, [id]))!;
  if (accounts > 0)
    throw new CellFault(`${accounts} accounts live in cell ${id} or are on their way: peyk account move ID CELL`);
  if (!db) return;
  const expected = (await row(db, expectedSql))!.receipts;
  if (expected > 0)
    throw new CellFault(
      `${expected} receipts in cell ${id} are still to be offered to the others: try again in a moment`,
    );
}

/** Nodes end their processes of this cell within seconds. */
async function unbound(db: Db, id: number): Promise<void> {
  const until = monotonicMs() + unbindMaxMs;
  while ((await readSharedCarriers(db)).some(one => one.bound > 0)) {
    if (monotonicMs() > until)
      throw new CellFault(`cell ${id} still holds links: is a node of an older version at work? Then run this again`);
    await pause(pollMs);
  }
}
