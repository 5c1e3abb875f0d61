// A finished file cannot be changed, and a compressed one not be looked into: of each account that has the number, the files go. They are
// kept for a day and may be made again.
import { type Db, row, rows, run, sql } from '../db/db.ts';
import { type Eraser, inKeyOrder } from '../db/erase.ts';

type Owner = { accountId: number };

const findSql = sql<Owner>('export erase find')`
  select distinct account_id as "accountId" from exports where account_id > $1 order by account_id limit 100`;
const knowsSql = sql<{ knows: boolean }>('export erase knows')`
  select exists (select 1 from messages_of_number($1, $2, 9007199254740991, 1))
    or exists (select 1 from inbound_messages i where i.account_id = $1 and i.number = $2) as knows`;
const removeSql = sql('export erase')`delete from exports where account_id = $1`;

/** Before messages: afterwards nobody would know which accounts had the number. */
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
