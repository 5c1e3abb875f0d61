// Opens an account in the cell for new accounts. Its number and its people are the home's, everything else is stored in its cell. For another cell
// than the home, the directory gets the account first, so that no key is valid before the home knows its account.
import type { Credentials } from '../accounts/credentials.ts';
import { type OpenedAccount, openIn, requireAccountName, reserveAccount } from '../accounts/open.ts';
import { type Db, run, sql, transaction } from '../db/db.ts';
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
  if (place === home)
    return {
      ...(await transaction(homeDb, tx => openIn(tx, name, given, { isWelcome: async () => isWelcome }))),
      cell: home,
    };
  const { db } = cells.of(place);
  const id = await transaction(homeDb, async tx => {
    const drawn = await reserveAccount(tx, name);
    await setCellOfAccount(tx, drawn, place);
    return drawn;
  });
  return { ...(await openThere({ homeDb, cellDb: db }, { id, name, isWelcome }, given)), cell: place };
}

const dropPlaceSql = sql('account place drop')`delete from account_cells where account_id = $1`;
const dropSql = sql('account drop')`delete from accounts where id = $1`;

/** Creates an account that the home has reserved; where that fails, the reservation is removed. */
async function openThere<Given extends Credentials>(
  { homeDb, cellDb }: { homeDb: Db; cellDb: Db },
  { id, name, isWelcome }: { id: number; name: string; isWelcome: boolean },
  given: Given,
): Promise<OpenedAccount<Given>> {
  const opening = { id, isWelcome: async () => isWelcome };
  const opened = await transaction(cellDb, tx => openIn(tx, name, given, opening)).catch(async error => {
    await transaction(homeDb, async tx => {
      await run(tx, dropPlaceSql, [id]);
      await run(tx, dropSql, [id]);
    }).catch(() => {});
    throw error;
  });
  await reflectAccount(homeDb, cellDb, id);
  return opened;
}
