// Erases a number from exports. A finished file cannot be edited and a compressed one not searched, so all export files of each
// account that has the number are deleted. They live for a day and can be made again.
import { type Db, row, rows, run, sql } from '../db/db.ts';
import { type Eraser, inKeyOrder } from '../db/erase.ts';

type Owner = { accountId: number };

const findSql = sql<Owner>('export erase find')`
  select distinct account_id as "accountId" from exports where account_id > $1 order by account_id limit 100`;
const knowsSql = sql<{ knows: boolean }>('export erase knows')`
  select exists (select 1 from messages_of_number($1, $2, 9007199254740991, 1))
    or exists (select 1 from inbound_messages i where i.account_id = $1 and i.number = $2) as knows`;
const removeSql = sql('export erase')`delete from exports where account_id = $1`;

/** Must run before messages are erased: afterwards nothing shows which accounts had the number. */
export const eraseExports: Eraser = (db, number) =>
  inKeyOrder<Owner>(
    after => rows(db, findSql, [after?.accountId ?? 0]),
    async owners => {
      let removed = 0;
      for (const { accountId } of owners) removed += await eraseOf(db, accountId, number);
      return removed;
    },
  );

async function eraseOf(db: Db, accountId: number, number: number): Promise<number> {
  const { knows } = (await row(db, knowsSql, [accountId, number]))!;
  return knows ? run(db, removeSql, [accountId]) : 0;
}
