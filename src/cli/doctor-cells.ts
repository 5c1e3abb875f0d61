// The doctor's checks of cells: whether each answers, whether its schema matches, and whether every carrier has a bind
// for each.

import { home, readCells } from '../cells/directory.ts';
import { carriersWithTooFewBinds } from '../cells/share-carriers.ts';
import { cellStates } from '../cells/states.ts';
import { type Db, openPool } from '../db/db.ts';
import { secretKeyOfData } from '../db/sealed-data.ts';
import type { Config } from '../settings/config.ts';

type Place = { db: Db; config: Config };

export async function cellsAtWork({ db, config }: Place) {
  if (!(await knowsCells(db))) return { saw: 'another version', wrong: [] };
  const cells = await cellStates(db, await secretKeyOfData(db, config));
  if (cells.length === 0) return { saw: 'none: one database', wrong: [] };
  const ill = cells.filter(one => one.state !== 'ok' && one.state !== 'draining');
  const poor = await carriersWithTooFewBinds(db, cells.length);
  return {
    saw: `${cells.length} databases, ${cells.reduce((sum, one) => sum + one.accounts, 0)} accounts`,
    wrong: [...ill.map(one => `cell ${one.cell} (${one.address}): ${one.state}`), ...poor],
  };
}

/** A schema of another version may lack the tables; the check of the schema reports that. */
async function knowsCells(db: Db): Promise<boolean> {
  const { rows } = await db.query(
    `select exists (select 1 from information_schema.columns where table_name = 'cells' and column_name = 'removed_at') as there`,
  );
  return rows[0].there;
}

/** The cells beside the home that answer. */
export async function openCellsBeside({ db, config }: Place) {
  const found = (await knowsCells(db)) ? await readCells(db, await secretKeyOfData(db, config)).catch(() => []) : [];
  const cells: { cell: number; db: Db }[] = [];
  const pools: Db[] = [];
  for (const { id, connection } of found) {
    if (id === home || !connection) continue;
    const pool = openPool(connection, { max: 1, name: 'peyk doctor', onError: () => {} });
    pools.push(pool);
    const isThere = await pool.query('select 1').catch(() => null);
    if (isThere) cells.push({ cell: id, db: pool });
  }
  return { cells, close: () => Promise.all(pools.map(pool => pool.end())) };
}
