// Opens an account in the cell for new accounts. Its number and its people are stored at home, everything else in its
// cell. For another cell than the home, the directory gets the account first, so that no key is valid before the home
// knows its account.
import type { Credentials } from '../accounts/credentials.ts';
import { type OpenedAccount, openIn, requireAccountName, reserveAccount } from '../accounts/open.ts';
import { type Db, runOf, transaction } from '../db/db.ts';
import { home, placeNewAccount, reflectAccount, setCellOfAccount } from './directory.ts';

/** `db`: the pool of a cell. */
export type CellPools = { of(cell: number): { db: Db }; readonly several: boolean; readonly home: { db: Db } };

/** `cell`: this one, whatever the weights are. */
export async function openAccountSomewhere<Given extends Credentials>(
  cells: CellPools,
  name: string,
  given: Given,
  { cell, isWelcome = true }: { cell?: number | undefined; isWelcome?: boolean } = {},
): Promise<OpenedAccount<Given> & { cell: number }> {
  requireAccountName(name);
  const homeDb = cells.home.db;
  const place = cells.several ? (cell ?? (await placeNewAccount(homeDb))) : home;
  const welcome = { isWelcome: async () => isWelcome };
  if (place === home) return { ...(await transaction(homeDb, tx => openIn(tx, name, given, welcome))), cell: home };
  const { db } = cells.of(place);
  const id = await transaction(homeDb, async tx => {
    const drawn = await reserveAccount(tx, name);
    await setCellOfAccount(tx, drawn, place);
    return drawn;
  });
  const opened = await transaction(db, tx => openIn(tx, name, given, { id, ...welcome })).catch(async error => {
    await dropReserved(homeDb, id).catch(() => {});
    throw error;
  });
  await reflectAccount(homeDb, db, id);
  return { ...opened, cell: place };
}

const dropReserved = runOf<[id: number]>('account drop')`
  with place as (delete from account_cells where account_id = $1) delete from accounts where id = $1`;
