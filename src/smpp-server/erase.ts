// Erases a number from long messages that customers submitted in parts: the recipient of the group and the texts of its parts.
// Groups that still wait for parts are left; they end within ten minutes.
import { rows, run, sql } from '../db/db.ts';
import { type Eraser, inKeyOrder } from '../db/erase.ts';
import { isWritten, lastDigits } from '../numbers/written.ts';

type Group = { id: number; createdAt: string; recipient: string; state: number };

const findSql = sql<Group>('smpp groups erase find')`
  select id, created_at::text as "createdAt", recipient, state from smpp_groups
  where (created_at, id) > ($1::timestamptz, $2::bigint) order by created_at, id limit 1000`;
const eraseSql = sql('smpp groups erase')`
  with erased as (
    update smpp_groups set recipient = '***' where id = any ($1) and state >= $2 returning id)
  update smpp_parts p set text = '""' from erased e where p.group_id = e.id`;
/** Joined or failed. */
const ended = 2;

export const eraseParts: Eraser = (db, number) => {
  const digits = lastDigits(number);
  return inKeyOrder<Group>(
    after => rows(db, findSql, [after?.createdAt ?? '-infinity', after?.id ?? 0]),
    async groups => {
      const found = groups.filter(one => one.state >= ended && isOf(one.recipient, digits, number));
      return found.length === 0 ? 0 : run(db, eraseSql, [found.map(one => one.id), ended]);
    },
  );
};

function isOf(recipient: string, digits: string, number: number): boolean {
  return recipient.replace(/\D/g, '').endsWith(digits) && isWritten(number, recipient);
}
