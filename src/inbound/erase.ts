// Erases a number from received messages. An account's message stays without number and text; unrouted messages are deleted.
import { type Db, type Queryable, rows, run, sql } from '../db/db.ts';
import { byId, type Eraser, inKeyOrder, untilNone } from '../db/erase.ts';
import { isWritten, lastDigits } from '../numbers/written.ts';

const atOnce = 1_000;

const eraseSql = sql('inbound erase')`
  update inbound_messages set number = null, number_text = '***', text = '' where account_id = $1 and id in (
    select id from inbound_messages where account_id = $1 and number = $2 limit $3)`;

function eraseInbound(db: Queryable, accountId: number, number: number): Promise<number> {
  return untilNone(atOnce, () => run(db, eraseSql, [accountId, number, atOnce]));
}

type Written = { id: number; sender: string };

const unroutedSql = sql<Written>('inbound erase unrouted find')`
  select id, sender from inbound_unrouted where right(sender, 10) = $2 and id > $1 order by id limit 1000`;
const removeUnroutedSql = sql('inbound erase unrouted')`delete from inbound_unrouted where id = any ($1)`;

export const eraseUnrouted: Eraser = (db, number) =>
  byId(db, {
    find: unroutedSql,
    given: [lastDigits(number)],
    wanted: one => isWritten(number, one.sender),
    change: removeUnroutedSql,
  });

// These are few: incomplete messages of three days.
const partsSql = sql<Written>('inbound erase parts find')`
  select id, sender from inbound_parts where id > $1 order by id limit 1000`;
const removePartsSql = sql('inbound erase parts')`delete from inbound_parts where id = any ($1)`;

export const eraseInboundParts: Eraser = (db, number) =>
  byId(db, { find: partsSql, wanted: one => isWritten(number, one.sender), change: removePartsSql });

const accountsSql = sql<{ id: number }>('inbound erase accounts')`
  select id from accounts where id > $1 order by id limit 1000`;

export async function eraseInboundOfAll(db: Db, number: number): Promise<{ inbound: number }> {
  const inbound = await inKeyOrder<{ id: number }>(
    after => rows(db, accountsSql, [after?.id ?? 0]),
    async accounts => {
      let erased = 0;
      for (const { id } of accounts) erased += await eraseInbound(db, id, number);
      return erased;
    },
  );
  return { inbound };
}
