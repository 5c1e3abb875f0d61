// Changes the address of a cell's database: host, port, name or password. The new address must lead to the same cell; every node uses it within
// seconds. An operator who copies the server stops the old one first: otherwise nodes would work on both.
import { type Db, row, run, sql, withPool } from '../db/db.ts';
import { type SecretKey, seal } from '../sealing/secrets.ts';
import { lookSql } from './add-cell.ts';
import { announceCells, CellFault, home, membershipOf, readCells } from './directory.ts';

const addressSql = sql('cell address')`update cells set address = $2 where id = $1 and removed_at is null`;

export async function changeAddress(homeDb: Db, id: number, address: string, key: SecretKey): Promise<void> {
  if (id === home) throw new CellFault('cell 0 is the home itself: its address is DATABASE_URL');
  const cell = (await readCells(homeDb, key)).find(one => one.id === id);
  if (!cell) throw new CellFault(`there is no cell ${id}`);
  await withPool({ connectionString: address }, 'peyk cell address', db => requireSame(homeDb, id, db));
  const isOfCitus = /[?&]citus=on(&|"|$)/.test(JSON.stringify(cell.connection));
  await run(homeDb, addressSql, [id, seal(key, isOfCitus ? `${address}&citus=on` : address)]);
  await announceCells(homeDb);
}

async function requireSame(homeDb: Db, id: number, db: Db): Promise<void> {
  const { readOnly, knowsCells } = (await row(db, lookSql))!;
  if (readOnly) throw new CellFault('that server only reads: give the address of its primary');
  const member = knowsCells ? await membershipOf(db) : undefined;
  if (member?.home !== (await row(homeDb, lookSql))!.name)
    throw new CellFault(`that database is not cell ${id} of this home`);
  if (member.id !== id) throw new CellFault(`that is cell ${member.id}, not cell ${id}`);
}
