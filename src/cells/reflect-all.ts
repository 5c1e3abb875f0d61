// Brings the home's copies of accounts and the cells' copies of people up to date. A change is copied at once; this repeats copies that failed.
import { type Db, rows, sql, transaction } from '../db/db.ts';
import { home, reflectAccount } from './directory.ts';
import { reflectPeople } from './people.ts';

const knownSql = sql<{ id: number; stamp: number }>('accounts reflected')`
  select account_id as id, stamp from account_cells where cell = $1 and moving_to is null`;
const stampsSql = sql<{ id: number; stamp: number }>('account stamps')`
  select id, stamp from accounts where id = any ($1)`;

export async function reflectAccounts(homeDb: Db, cells: [number, Db][]): Promise<void> {
  for (const [cell, db] of cells) {
    if (cell === home) continue;
    const known = await rows(homeDb, knownSql, [cell]);
    const now = await rows(db, stampsSql, [known.map(one => one.id)]).catch(() => []);
    const before = new Map(known.map(one => [one.id, one.stamp]));
    for (const { id, stamp } of now) {
      if (before.get(id) === stamp) continue;
      await reflectAccount(homeDb, db, id);
      await transaction(db, tx => reflectPeople(homeDb, tx, id));
    }
  }
}
