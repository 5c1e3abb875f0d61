// The directory of cells, in the home database: the cells, the cell of each account, and the account of each key, login
// and SMPP user. Without a row in `cells` there is one database. Changes are announced on `peyk_cells`. A cached entry
// may be outdated: then the cell does not know the account, and the directory is read again.
import { type Connection, type Queryable, row, rowOf, rows, run, runOf, sql } from '../db/db.ts';
import { type SecretKey, seal, unseal } from '../sealing/secrets.ts';

/** Why a cell cannot be added, changed or removed, or an account moved; for the operator. */
export class CellFault extends Error {}

/** The home itself: the database of DATABASE_URL. */
export const home = 0;
/** Ids of orders and messages of cell n begin at n times this. */
export const numbersOfCell = 1_000_000_000_000;

/** `connection` null: the home. */
export type Cell = { id: number; connection: Connection | null; weight: number; draining: boolean; addedAt: Date };

const cellsSql = sql<Omit<Cell, 'connection'> & { address: Buffer | null }>('cells')`
  select id, address, weight, draining, added_at as "addedAt" from cells where removed_at is null order by id`;

/** The home first; empty with a single database. */
export async function readCells(db: Queryable, key: SecretKey): Promise<Cell[]> {
  const found = await rows(db, cellsSql);
  return found.map(({ address, ...cell }) => ({
    ...cell,
    connection: address && { connectionString: unseal(key, address) },
  }));
}

/** The cell that created this order or message. Its account may have moved since: `cellOfAccount`. */
export function cellOfNumber(id: number): number {
  return Math.floor(id / numbersOfCell);
}

const thereSql = sql<{ there: boolean }>(
  'cells there',
)`select exists (select 1 from cells where id > 0 and removed_at is null) as there`;

export async function hasCells(db: Queryable): Promise<boolean> {
  return (await row(db, thereSql))!.there;
}

const addHomeSql = sql('cell add home')`insert into cells (id) values (0) on conflict (id) do nothing`;
const addSql = sql<{ id: number }>('cell add')`
  insert into cells (id, address, weight) select max(id) + 1, $1, $2 from cells returning id`;

/** The caller commits and announces. */
export async function addCell(db: Queryable, key: SecretKey, address: string, weight: number): Promise<number> {
  await run(db, addHomeSql);
  return (await row(db, addSql, [seal(key, address), weight]))!.id;
}

const changeSql = sql('cell change')`
  update cells set draining = coalesce($2, draining), weight = coalesce($3, weight) where id = $1 and removed_at is null`;

/** Returns whether the cell exists. */
export async function changeCell(
  db: Queryable,
  id: number,
  { draining = null, weight = null }: { draining?: boolean | null; weight?: number | null },
): Promise<boolean> {
  return (await run(db, changeSql, [id, draining, weight])) > 0;
}

const outSql = sql('cell out')`update cells set removed_at = coalesce(removed_at, now()) where id = $1`;

/** The number of the cell is never used again. Returns whether the cell exists or existed. */
export async function takeCellOut(db: Queryable, id: number): Promise<boolean> {
  return (await run(db, outSql, [id])) > 0;
}

const announceSql = sql<{ announced: string }>(
  'cells announce',
)`select pg_notify(channel('peyk_cells'), $1)::text as announced`;

/** `what`: the account that moved; '': the list of cells changed. */
export async function announceCells(db: Queryable, what = ''): Promise<void> {
  await row(db, announceSql, [what]);
}

// The cell with the fewest accounts relative to its weight, so that a new cell fills up first.
const placeSql = sql<{ id: number }>('cell place')`
  select c.id from cells c where not c.draining and c.weight > 0 and c.removed_at is null
  order by (case c.id when 0
      then (select count(*) from accounts) - (select count(*) from account_cells where cell <> 0)
      else (select count(*) from account_cells a where a.cell = c.id) end + 1)::float / c.weight, c.id limit 1`;

/** The cell for a new account; the home if no cell takes new accounts. */
export async function placeNewAccount(db: Queryable): Promise<number> {
  return (await row(db, placeSql))?.id ?? home;
}

const cellOfSql = sql<{ cell: number }>('cell of account')`select cell from account_cells where account_id = $1`;

export async function cellOfAccount(db: Queryable, accountId: number): Promise<number> {
  return (await row(db, cellOfSql, [accountId]))?.cell ?? home;
}

/** The account's names must be in the directory before (`reflectAccount`). */
export const setCellOfAccount = runOf<[accountId: number, cell: number]>('cell of account set')`
  insert into account_cells (account_id, cell) values ($1, $2)
  on conflict (account_id) do update set cell = excluded.cell, moving_to = null, moved_at = now(), stamp = 0`;

export type NameKind = 'key' | 'old-login' | 'smpp';

type Named = { accountId: number; cell: number };

/** undefined: an unknown name, or a name of an account that never left the home. */
export const cellOfName = rowOf<Named, [kind: NameKind, name: string]>('cell of name')`
  select n.account_id as "accountId", coalesce(a.cell, 0)::int as cell
  from cell_names n left join account_cells a on a.account_id = n.account_id where n.kind = $1 and n.name = $2`;

type Reflected = { name: string; status: string; panelIps: string[]; stamp: number; kinds: string[]; names: string[] };

const readSql = sql<Reflected>('account reflection')`
  with n as (
    select 'key' as kind, key as name from credentials where account_id = $1 union all
    select 'old-login', username from old_logins where account_id = $1 union all
    select 'smpp', system_id from smpp_users where account_id = $1)
  select a.name, a.status, a.panel_ips as "panelIps", a.stamp,
    array(select kind from n order by kind, name) as kinds, array(select name from n order by kind, name) as names
  from accounts a where a.id = $1`;
// Processes cache accounts of the home by this version (the column `stamp`).
const accountSql = sql('account reflect')`
  insert into accounts (id, name, status, panel_ips) values ($1, $2, $3, $4)
  on conflict (id) do update set stamp = accounts.stamp + 1, name = excluded.name, status = excluded.status,
    panel_ips = excluded.panel_ips`;
const forgetSql = sql('account names forget')`
  delete from cell_names n where account_id = $1
    and not exists (select 1 from unnest($2::text[], $3::text[]) u(kind, name) where u.kind = n.kind and u.name = n.name)`;
const namesSql = sql('account names reflect')`
  insert into cell_names (kind, name, account_id) select u.kind, u.name, $1 from unnest($2::text[], $3::text[]) u(kind, name)
  on conflict (kind, name) do update set account_id = excluded.account_id where cell_names.account_id <> excluded.account_id`;
const stampSql = sql('account stamp reflect')`update account_cells set stamp = $2 where account_id = $1`;

/** Copies name, status, panel addresses, keys, logins and SMPP users of the account from its cell to the home. */
export async function reflectAccount(homeDb: Queryable, cell: Queryable, accountId: number): Promise<void> {
  const found = await row(cell, readSql, [accountId]);
  if (!found) return;
  await run(homeDb, accountSql, [accountId, found.name, found.status, found.panelIps]);
  await run(homeDb, forgetSql, [accountId, found.kinds, found.names]);
  await run(homeDb, namesSql, [accountId, found.kinds, found.names]);
  await run(homeDb, stampSql, [accountId, found.stamp]);
}

/** undefined: this database is not a cell. */
export const membershipOf = rowOf<{ id: number; home: string }>('this cell')`select id, home from this_cell`;

export const becomeCell = runOf<[id: number, home: string]>('cell become')`
  insert into this_cell (id, home) values ($1, $2)`;
