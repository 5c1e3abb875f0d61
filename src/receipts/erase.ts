// Erases a number from unmatched receipts and unsure messages. A receipt stays and is matched by its id; the doubt about an ended
// message is deleted.
import { run, sql } from '../db/db.ts';
import { type Eraser, untilNone } from '../db/erase.ts';

const atOnce = 1_000;

// Carriers may write a number without its country code.
const receiptsSql = sql('receipts erase')`
  update receipts set number = null where id = any (array(
    select id from receipts where number % 10000000000 = $1::bigint % 10000000000
      and number in ($1::bigint, $1::bigint % 10000000000) limit $2))`;

export const eraseReceipts: Eraser = (db, number) => untilNone(atOnce, () => run(db, receiptsSql, [number, atOnce]));

const doubtsSql = sql('unsure erase')`
  delete from unsure where (message_id, account_id, attempt) in (
    select u.message_id, u.account_id, u.attempt from unsure u
    where u.number % 10000000000 = $1::bigint % 10000000000 and u.number = $1::bigint
      and not exists (select 1 from messages m where m.id = u.message_id and m.account_id = u.account_id and m.number is not null)
    limit $2)`;

/** Runs after the numbers of messages are erased: a message that is still sent keeps its number and its doubt. */
export const eraseDoubts: Eraser = (db, number) => untilNone(atOnce, () => run(db, doubtsSql, [number, atOnce]));
