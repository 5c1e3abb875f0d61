// What people wrote to an account, newest first.
import { type Queryable, row, rows, sql } from '../db/db.ts';

export type InboxMessage = { id: number; number: string; to: string; text: string; receivedAt: Date };

const countSql = sql<{ count: number }>('inbox count')`
  select count(*) as count from inbound_messages where account_id = $1
    and received_at >= coalesce($2::timestamptz, '-infinity') and received_at < coalesce($3::timestamptz, 'infinity')`;
const pageSql = sql<InboxMessage>('inbox page')`
  select id, number_text as number, recipient as "to", text, received_at as "receivedAt"
  from inbound_messages where account_id = $1
    and received_at >= coalesce($2::timestamptz, '-infinity') and received_at < coalesce($3::timestamptz, 'infinity')
  order by received_at desc, id desc limit $4 offset $5`;

export async function inboxPage(
  db: Queryable,
  accountId: number,
  range: { start: Date | null; end: Date | null },
  page: number,
  rowCount: number,
): Promise<{ count: number; messages: InboxMessage[] }> {
  const total = await row(db, countSql, [accountId, range.start, range.end]);
  const offset = (page - 1) * rowCount;
  const messages =
    offset < total!.count ? await rows(db, pageSql, [accountId, range.start, range.end, rowCount, offset]) : [];
  return { count: total!.count, messages };
}
