// Messages that people wrote to an account, newest first.

import { type Queryable, rows, sql } from '../db/db.ts';
import { shownText } from '../sealing/content.ts';

type InboxMessage = { id: number; number: string; to: string; text: string; receivedAt: Date };

// One statement, so that count and page belong to the same moment.
const pageSql = sql<{ count: number } & (InboxMessage | { id: null })>('inbox page')`
  select c.count, p.* from (
    select count(*) as count from inbound_messages where account_id = $1
      and received_at >= coalesce($2::timestamptz, '-infinity') and received_at < coalesce($3::timestamptz, 'infinity')) c
  left join (
    select id, number_text as number, recipient as "to", text, received_at as "receivedAt"
    from inbound_messages where account_id = $1
      and received_at >= coalesce($2::timestamptz, '-infinity') and received_at < coalesce($3::timestamptz, 'infinity')
    order by received_at desc, id desc limit $4 offset $5) p on true
  order by p."receivedAt" desc, p.id desc`;
/** More messages than any account has. */
const offsetMax = 2 ** 31;

export async function inboxPage(
  db: Queryable,
  accountId: number,
  range: { start: Date | null; end: Date | null },
  page: number,
  rowCount: number,
): Promise<{ count: number; messages: InboxMessage[] }> {
  const offset = Math.min((page - 1) * rowCount, offsetMax);
  const found = await rows(db, pageSql, [accountId, range.start, range.end, rowCount, offset]);
  const messages = found
    .filter(one => one.id !== null)
    .map(({ count, ...message }) => ({ ...message, text: shownText((message as InboxMessage).text) }) as InboxMessage);
  return { count: found[0]!.count, messages };
}
