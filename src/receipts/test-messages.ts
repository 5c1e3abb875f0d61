// Test messages of staff are stored as submits of message -number: their receipts end no customer's message. The doubt about a test message
// is stored before it is written, so it survives a crash.
import { type Queryable, run, runOf, sql } from '../db/db.ts';

/** \`carrier\`: 0 = the carrier is not stored yet. */
export const noteTest = runOf<[carrier: number, number: number]>('test message doubt')`
  insert into unsure (message_id, account_id, attempt, number, lane, carrier_id, written_at, single)
  values (-$2::bigint, 0, ($1::integer % 32768)::smallint, $2, 0, nullif($1::integer, 0), now(), true)
  on conflict (message_id, account_id, attempt) do update set written_at = excluded.written_at`;
const submitSql = sql('test message submit')`
  insert into submits (day, carrier_id, smsc_id, message_id, part, parts) values (submit_day(now()), $1, $2, -$3::bigint, 1, 1)`;

export async function noteTestAnswer(db: Queryable, carrier: number, number: number, id: string): Promise<void> {
  if (carrier !== 0 && id !== '') await run(db, submitSql, [carrier, id, number]);
}
