// The state of each cell for operators: number of accounts, size, whether it answers, whether it is migrated.
import { type Db, row, type Sql, sql, withPool } from '../db/db.ts';
import { migrationsApart } from '../db/migrate.ts';
import type { SecretKey } from '../sealing/secrets.ts';
import { type Cell, readCells } from './directory.ts';
import { hasBinds } from './share-carriers.ts';

export type CellState = {
  cell: number;
  /** `ok`, `draining`, or what is wrong with it. */
  state: string;
  accounts: number;
  megabytes: number | null;
  weight: number;
  /** Without the password. */
  address: string;
  addedAt: Date;
};

const sizeSql: Sql<{ megabytes: number }> = {
  name: 'cell size',
  text: 'select (pg_database_size(current_database()) / 1000000)::int as megabytes',
};
const bindsSql: Sql<{ has: boolean }> = { name: 'cell binds', text: `select ${hasBinds} as has` };
const accountsSql = sql<{ accounts: number }>('cell accounts')`
  select case when $1 = 0 then (select count(*) from accounts) - (select count(*) from account_cells where cell <> 0)
    else (select count(*) from account_cells where cell = $1) end::int as accounts`;

export async function cellStates(homeDb: Db, key: SecretKey): Promise<CellState[]> {
  const cells = await readCells(homeDb, key);
  return Promise.all(cells.map(cell => stateOf(homeDb, cell)));
}

async function stateOf(homeDb: Db, cell: Cell): Promise<CellState> {
  const { id, weight, draining, addedAt } = cell;
  const { accounts } = (await row(homeDb, accountsSql, [id]))!;
  const known = { cell: id, accounts, weight, address: addressOf(cell), addedAt };
  const look = async (db: Db) => {
    const { megabytes } = (await row(db, sizeSql))!;
    const { pending, unknown } = await migrationsApart(db);
    const apart = pending.length > 0 ? 'not migrated' : unknown.length > 0 ? 'migrated by a newer version' : null;
    if (apart) return { ...known, megabytes, state: apart };
    const { has } = (await row(db, bindsSql))!;
    const state = has ? (draining ? 'draining' : 'ok') : 'no carrier has a bind for it: its messages wait';
    return { ...known, megabytes, state };
  };
  return (cell.connection ? withPool(cell.connection, 'peyk cell', look) : look(homeDb)).catch((error: Error) => {
    return { ...known, megabytes: null, state: `does not answer: ${error.message || 'no connection'}` };
  });
}

function addressOf({ connection }: Cell): string {
  if (!connection || !('connectionString' in connection)) return 'home';
  return connection.connectionString.replace(/(\/\/[^:@/]*):[^@/]*@/, '$1@');
}
