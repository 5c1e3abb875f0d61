// Erases a number from the messages of every account. Open messages are left, because they could not be sent without it.
import { type Db, row, rows, sql } from '../db/db.ts';
import { inKeyOrder } from '../db/erase.ts';

const atOnce = 500;

type Done = { messages: number; open: number };

const accountsSql = sql<{ id: number }>('erase accounts')`select id from accounts where id > $1 order by id limit 1000`;
const findSql = sql<{ id: number }>('erase find')`select messages_of_number($1, $2, $3, $4) as id`;
const eraseSql = sql<{ erased: number }>('erase messages')`select erase_messages($1, $2, $3) as erased`;

export async function eraseMessagesOfAll(db: Db, number: number): Promise<Done> {
  const done: Done = { messages: 0, open: 0 };
  await inKeyOrder<{ id: number }>(
    after => rows(db, accountsSql, [after?.id ?? 0]),
    async accounts => {
      for (const { id } of accounts) await eraseMessages(db, id, number, done);
      return accounts.length;
    },
  );
  return done;
}

async function eraseMessages(db: Db, accountId: number, number: number, done: Done): Promise<void> {
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const ids = (await rows(db, findSql, [accountId, number, before, atOnce])).map(one => one.id);
    if (ids.length === 0) return;
    const { erased } = (await row(db, eraseSql, [accountId, number, ids]))!;
    done.messages += erased;
    done.open += ids.length - erased;
    before = ids.at(-1)!;
  }
}
