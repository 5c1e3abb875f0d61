// What the home keeps of accounts of other cells, brought up to date: whoever changes an account tells the home at once, and this is
// for those who ended before they could.
import { type Db, rows, sql } from '../db/db.ts';
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
      await reflectPeople(homeDb, db, id);
    }
  }
}
