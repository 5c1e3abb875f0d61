// Inbound messages, newest first, and the numbers people can write to.

import { type Queryable, row, rows, rowsOf, sql } from '../../db/db.ts';
import { isSealedText, shownText } from '../../sealing/content.ts';
import type { Column } from '../exports/column.ts';
import { shownTime, wordOf } from '../exports/words.ts';
import { Conditions, likePiece } from '../queries/conditions.ts';
import { idsWithText, sealedSearchRows } from '../queries/sealed-search.ts';

export type InboxRow = {
  id: number;
  number: string;
  to: string;
  /** '' if it contained no known word. */
  keyword: string;
  text: string;
  receivedAt: Date;
  effect: string | null;
};
export type InboxAsked = {
  number?: number;
  digits?: string;
  keyword?: string;
  text?: string;
  from?: Date;
  to?: Date;
  before?: number;
};

export async function inboxRows(
  db: Queryable,
  accountId: number,
  asked: InboxAsked,
  most: number,
): Promise<InboxRow[]> {
  const filter = new Conditions()
    .add('account_id = ?', accountId)
    .add('number = ?', asked.number)
    .add('number_text like ?', asked.digits && likePiece(asked.digits))
    .add('keyword = ?', asked.keyword)
    .add('received_at >= ?', asked.from)
    .add('received_at < ?', asked.to)
    .add('id < ?', asked.before);
  if (asked.text) await addText(db, filter, asked.text);
  const found = await db.query(
    `select id, number_text as number, recipient as "to", keyword, text, received_at as "receivedAt", effect
     from inbound_messages ${filter.where} order by id desc limit ${filter.place(most)}`,
    filter.values,
  );
  return (found.rows as InboxRow[]).map(one => ({ ...one, text: shownText(one.text) }));
}

async function addText(db: Queryable, filter: Conditions, piece: string): Promise<void> {
  const sealed = await db.query(
    `select id, text from (select id, text from inbound_messages ${filter.where} order by id desc limit ${sealedSearchRows}) x
     where ${isSealedText('x.text')}`,
    filter.values,
  );
  const opened = filter.place(idsWithText(sealed.rows as { id: number; text: string }[], piece));
  filter.add(`(fold_turkish(text) like fold_turkish(?) or id = any (${opened}::bigint[]))`, likePiece(piece));
}

// Over the newest messages only, which bounds the cost. Earlier writers can be found by number.
const conversationsSql = sql<{ id: number; number: string; text: string; receivedAt: Date; count: number }>(
  'panel conversations',
)`
  select max(x.id) as id, x.number_text as number, (array_agg(x.text order by x.id desc))[1] as text,
    (array_agg(x.received_at order by x.id desc))[1] as "receivedAt", count(*)::integer as count
  from (select id, number_text, text, received_at from inbound_messages
    where account_id = $1 order by id desc limit 2000) x
  group by x.number_text order by 1 desc limit 200`;

export async function conversations(db: Queryable, accountId: number) {
  return (await rows(db, conversationsSql, [accountId])).map(one => ({ ...one, text: shownText(one.text) }));
}

export const inboundNumbers = rowsOf<{ number: string; keyword: string }, [accountId: number]>('panel inbound numbers')`
  select number, keyword from inbound_numbers where account_id = $1 order by number, keyword limit 200`;

const latestSql = sql<{ id: number }>('panel inbox latest')`
  select coalesce(max(id), 0) as id from inbound_messages where account_id = $1`;

export async function latestInbound(db: Queryable, accountId: number): Promise<number> {
  return (await row(db, latestSql, [accountId]))!.id;
}

/** Columns of the list as a file. */
export const inboxFileColumns: Column<InboxRow>[] = [
  ['Zaman', 'Time', (one, language) => shownTime(one.receivedAt, language)],
  ['Numara', 'Number', one => one.number],
  ['Alan', 'To', one => one.to],
  ['Metin', 'Text', one => one.text],
  ['Etki', 'Effect', (one, language) => one.effect && wordOf(one.effect, language)],
];
