// A new account in the cell where new ones go. Its number is drawn at home, where the people who belong to it are; everything
// else of it is stored in its cell. In the home that is one transaction; elsewhere the home first learns where the account is
// going to be, so that no key is ever good without the home knowing whose it is.
import type { Credentials } from '../accounts/credentials.ts';
import { type OpenedAccount, openIn, requireAccountName, reserveAccount } from '../accounts/open.ts';
import { type Db, run, sql, transaction } from '../db/db.ts';
import { home, placeNewAccount, reflectAccount, setCellOfAccount } from './directory.ts';

/** `db`: the pool of a cell. */
export type CellPools = { of(cell: number): { db: Db }; readonly several: boolean; readonly home: { db: Db } };

/** `cell`: that one, whatever the weights say. */
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

/** An account that the home has reserved comes into being in its cell; if it cannot, nothing is left of it. */
async function openThere<Given extends Credentials>(
  { homeDb, cellDb }: { homeDb: Db; cellDb: Db },
  { id, name, isWelcome }: { id: number; name: string; isWelcome: boolean },
  given: Given,
): Promise<OpenedAccount<Given>> {
  const wish = { id, isWelcome: async () => isWelcome };
  const opened = await transaction(cellDb, tx => openIn(tx, name, given, wish)).catch(async error => {
    await transaction(homeDb, async tx => {
      await run(tx, dropPlaceSql, [id]);
      await run(tx, dropSql, [id]);
    }).catch(() => {});
    throw error;
  });
  await reflectAccount(homeDb, cellDb, id);
  return opened;
}
