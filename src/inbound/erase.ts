// Takes a number out of the messages that came from it, with their texts; that they came stays.
import { type Queryable, run, sql } from '../db/db.ts';

const eraseSql = sql('inbound erase')`
  update inbound_messages set number = null, number_text = '***', text = '' where account_id = $1 and number = $2`;

export function eraseInbound(db: Queryable, accountId: number, number: number): Promise<number> {
  return run(db, eraseSql, [accountId, number]);
}
