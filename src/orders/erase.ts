// Takes a number out of the messages of an account; what is still on its way is left, because it could not be sent without it.
import { type Db, row, rows, sql } from '../db/db.ts';

const atOnce = 500;

const findSql = sql<{ id: number }>('erase find')`select messages_of_number_1($1, $2, $3, $4) as id`;
const eraseSql = sql<{ erased: number }>('erase messages')`select erase_messages_1($1, $2, $3) as erased`;

export async function eraseMessages(db: Db, accountId: number, number: number) {
  const done = { messages: 0, open: 0 };
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const ids = (await rows(db, findSql, [accountId, number, before, atOnce])).map(one => one.id);
    if (ids.length === 0) return done;
    const { erased } = (await row(db, eraseSql, [accountId, number, ids]))!;
    done.messages += erased;
    done.open += ids.length - erased;
    before = ids.at(-1)!;
  }
}
