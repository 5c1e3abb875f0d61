// All events of one number in one account.

import { type Queryable, rowOf, rows, sql } from '../../db/db.ts';
import { shownStart, shownText, textStart } from '../../sealing/content.ts';
import { type MessageRow, messageColumns } from './recipient-lines.ts';

type NumberMessage = MessageRow & { sender: string; textStart: string; submitAt: Date };
const startLength = 160;
const messagesSql = {
  name: 'panel number messages',
  text: `select ${messageColumns}, o.sender, ${textStart('t.text', startLength)} as "textStart", o.submit_at as "submitAt"
    from messages_of_number($1, $2, $3, $4) n join messages m on m.account_id = $1 and m.id = n
    join orders o on o.id = m.order_id and o.account_id = m.account_id
    join order_texts t on t.order_id = m.order_id and t.account_id = m.account_id and t.no = m.text_no
    order by m.id desc`,
};

export async function numberMessages(
  db: Queryable,
  accountId: number,
  number: number,
  before: number,
  most: number,
): Promise<NumberMessage[]> {
  const found = await rows<NumberMessage>(db, messagesSql, [accountId, number, before, most]);
  return found.map(one => ({ ...one, textStart: shownStart(one.textStart, startLength) }));
}

const inboundSql = sql<{ at: Date; to: string; text: string; effect: string | null }>('panel number inbound')`
  select received_at as at, recipient as "to", text, effect from inbound_messages
  where account_id = $1 and number = $2 order by id desc limit 50`;

export async function numberInbound(db: Queryable, accountId: number, number: number) {
  return (await rows(db, inboundSql, [accountId, number])).map(one => ({ ...one, text: shownText(one.text) }));
}

export const numberBlacklist = rowOf<
  { since: Date; source: string; note: string | null },
  [accountId: number, number: number]
>('panel number blacklist')`
  select added_at as since, source, note from blacklist_entries where account_id = $1 and number = $2`;
