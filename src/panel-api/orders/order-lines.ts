// Orders as the panel's lists show them, with counters that separate filtered from undelivered and queued from submitted. Both
// need the order's messages, a range of the primary key (8 ms for 50,000), so only shown rows are counted.

import type { Read } from '../../contract/lenient.ts';
import { type Queryable, row, rows, sql } from '../../db/db.ts';
import { knownBy, orderKnownBy } from '../../orders/known-by.ts';
import { isFiltered } from '../../orders/reasons.ts';
import type { OrderState } from '../../orders/states.ts';
import { isSealedText, shownStart, textStart } from '../../sealing/content.ts';
import { iso } from '../contract/input.ts';
import { type Column, rateCell, timeCell } from '../exports/column.ts';
import { wordOf } from '../exports/words.ts';
import { Conditions, likePiece } from '../queries/conditions.ts';
import { idsWithText, sealedSearchRows } from '../queries/sealed-search.ts';
import { sourceKind } from '../words/source-kinds.ts';
import type { OrderLine, orderFilter } from './contract.ts';

export type OrderRow = {
  id: number;
  state: OrderState;
  sender: string;
  consentList: 'BIREYSEL' | 'TACIR' | null;
  source: string;
  who: string | null;
  total: number;
  delivered: number;
  undelivered: number;
  filtered: number;
  withCarrier: number;
  reserved: number;
  consumed: number;
  resent: number;
  firstMessageId: number;
  submitAt: Date;
  sendAt: Date;
  finishedAt: Date | null;
  closeAfter: Date;
  textStart: string | null;
  texts: number;
};

const startLength = 80;
const columns = `o.id, o.state, o.sender, o.consent_list as "consentList", o.source, o.total, o.delivered, o.undelivered,
  o.reserved, o.consumed, o.resent, o.first_message_id as "firstMessageId", o.submit_at as "submitAt",
  o.send_at as "sendAt", o.finished_at as "finishedAt", o.close_after as "closeAfter",
  (select ${textStart('t.text', startLength)} from order_texts t where t.order_id = o.id and t.account_id = o.account_id and t.no = 1) as "textStart",
  (select max(t.no) from order_texts t where t.order_id = o.id and t.account_id = o.account_id) as texts,
  (select u.email from users u where o.source like 'panel:%' and u.id = substr(o.source, 7)::bigint) as who,
  case when o.undelivered = 0 then 0 else (select count(*) from messages m where m.account_id = o.account_id
    and m.id >= o.first_message_id and m.id < o.first_message_id + o.total and ${isFiltered('m.reason')}) end as filtered,
  case when o.state <> 'sending' then 0 else (select count(*)
    from (select distinct x.message_id from submits x
      where x.message_id >= o.first_message_id and x.message_id < o.first_message_id + o.total) s
    join messages m on m.id = s.message_id and m.account_id = o.account_id and m.status = 110) end as "withCarrier"`;

const oneSql = { name: 'panel order', text: `select ${columns} from orders o where o.id = $1 and o.account_id = $2` };

function shown(one: OrderRow): OrderRow {
  return one.textStart === null ? one : { ...one, textStart: shownStart(one.textStart, startLength) };
}

export async function orderRow(db: Queryable, accountId: number, id: number): Promise<OrderRow | undefined> {
  const found = await knownBy(db, accountId, id, known => row<OrderRow>(db, oneSql, [known, accountId]));
  return found && shown(found);
}

/** The filter of the contract, with its search and cursor read. */
export type OrdersAsked = Partial<Omit<Read<typeof orderFilter>, 'search' | 'cursor' | 'limit'>> & {
  id?: number;
  number?: number;
  text?: string;
  /** Keyset: submit time (ms) and id of the last row seen. */
  before?: { at: Date; id: number };
};

// A text is searched in this many of the newest orders that pass the other filters.
const textSearchOrders = sealedSearchRows;

// Orders that need attention are searched in this many of the newest; filtered messages are counted only for those that look
// bad.
const attentionOrders = 5_000;
const needsAttention = `case when o.state = 'failed' then true
  when o.state <> 'finished' or o.undelivered = 0 or o.delivered >= 0.9 * (o.delivered + o.undelivered) then false
  else o.delivered < 0.9 * (o.delivered + o.undelivered - (select count(*) from messages m where m.account_id = o.account_id
    and m.id >= o.first_message_id and m.id < o.first_message_id + o.total and ${isFiltered('m.reason')})) end`;

export async function orderRows(
  db: Queryable,
  accountId: number,
  asked: OrdersAsked,
  most: number,
): Promise<OrderRow[]> {
  const filter = new Conditions()
    .add('o.account_id = ?', accountId)
    .add('o.id = ?', asked.id && ((await orderKnownBy(db, accountId, asked.id)) ?? asked.id))
    .add('o.state = ?', asked.state)
    .add('o.sender = ?', asked.sender)
    .add('o.lane = ?', asked.commercial === undefined ? undefined : asked.commercial ? 1 : 0)
    .add('o.submit_at >= ?', asked.from)
    .add('o.submit_at < ?', asked.to)
    .add(
      `o.id in (select m.order_id from messages_of_number(${accountId}, ?, 9223372036854775807, 1000) n
        join messages m on m.account_id = ${accountId} and m.id = n)`,
      asked.number,
    );
  if (asked.state === 'scheduled') filter.plain('o.planned');
  if (asked.state === 'sending') filter.plain(`o.id in (select n.id from open_orders(${accountId}) n)`);
  if (asked.source) filter.plain(asked.source === 'panel' ? "o.source like 'panel:%'" : `o.source = '${asked.source}'`);
  if (asked.before) {
    const at = filter.place(asked.before.at);
    filter.plain(`(o.submit_at, o.id) < (${at}, ${filter.place(asked.before.id)})`);
  }
  const order = 'order by o.submit_at desc, o.id desc';
  let from = `orders o ${filter.where}`;
  if (asked.attention)
    from = `(select * from orders o ${filter.where} ${order} limit ${attentionOrders}) o where ${needsAttention}`;
  if (asked.text !== undefined) {
    const newest = `(select * from orders o ${filter.where} ${order} limit ${textSearchOrders}) o`;
    const sealed = await db.query(`select o.id, o.text from ${newest} where ${isSealedText('o.text')}`, filter.values);
    const pattern = filter.place(likePiece(asked.text));
    const opened = filter.place(idsWithText(sealed.rows as { id: number; text: string }[], asked.text));
    from = `${newest} where fold_turkish(o.sender) like fold_turkish(${pattern}) or o.id = any (${opened}::bigint[]) or exists (select 1 from order_texts t
        where t.order_id = o.id and t.account_id = o.account_id and t.no = 1 and fold_turkish(t.text) like fold_turkish(${pattern}))`;
  }
  const found = await db.query(`select ${columns} from ${from} ${order} limit ${filter.place(most)}`, filter.values);
  return (found.rows as OrderRow[]).map(shown);
}

// Large orders by their own index and first, small ones only among the newest: thousands of one-time codes, or of single
// submits from 0.2.0, are not progress bars, but a campaign that runs for an hour is one.
const isCampaign = `total > 10 and coalesce(not smpp ? 'each', true)`;
const runningSql = {
  name: 'panel running orders',
  text: `select ${columns} from orders o where o.account_id = $1 and o.id in (
      (select id from orders where account_id = $1 and running and ${isCampaign} order by submit_at desc limit 20)
      union (select id from (select id, state from orders where account_id = $1 order by submit_at desc, id desc limit 20) n
        where n.state = 'sending')) and o.state = 'sending'
    order by (${isCampaign}) desc, o.submit_at desc, o.id desc limit 20`,
};

export async function runningRows(db: Queryable, accountId: number): Promise<OrderRow[]> {
  return (await rows<OrderRow>(db, runningSql, [accountId])).map(shown);
}

const scheduledSql = sql<{ count: number }>('panel scheduled orders')`
  select count(*) as count from orders where account_id = $1 and planned`;

const upcomingSql = {
  name: 'panel upcoming orders',
  text: `select ${columns} from orders o where o.account_id = $1 and o.planned order by o.send_at, o.id limit $2`,
};

/** Scheduled orders, the next one first. */
export function upcomingRows(db: Queryable, accountId: number, most: number): Promise<OrderRow[]> {
  return rows<OrderRow>(db, upcomingSql, [accountId, most]);
}

export async function scheduledCount(db: Queryable, accountId: number): Promise<number> {
  return (await row(db, scheduledSql, [accountId]))!.count;
}

export function showOrder(one: OrderRow): OrderLine {
  const waiting = one.total - one.delivered - one.undelivered;
  const withCarrier = Math.min(one.withCarrier, waiting);
  return {
    id: one.id,
    state: one.state,
    sender: one.sender,
    textStart: one.textStart ?? '',
    texts: one.texts ?? 0,
    commercial: one.consentList,
    source: { kind: sourceKind(one.source), who: one.who },
    total: one.total,
    delivered: one.delivered,
    undelivered: one.undelivered - one.filtered,
    filtered: one.filtered,
    withCarrier,
    queued: waiting - withCarrier,
    submitAt: iso(one.submitAt),
    sendAt: iso(one.sendAt),
    finishedAt: iso(one.finishedAt),
    endsBy: one.state === 'sending' ? iso(one.closeAfter) : null,
    credits: one.consumed + one.reserved,
  };
}

/** Columns of the list as a file. */
export const orderFileColumns: Column<OrderLine>[] = [
  ['Sipariş', 'Order', one => String(one.id)],
  ['Durum', 'State', (one, language) => wordOf(one.state, language)],
  ['Veriliş', 'Submitted', (one, language) => timeCell(one.submitAt, language)],
  ['Gönderim', 'To be sent', (one, language) => timeCell(one.sendAt, language)],
  ['Başlık', 'Sender ID', one => one.sender],
  ['Metin', 'Text', one => one.textStart],
  ['Ticari ileti', 'Commercial', (one, language) => wordOf(one.commercial ? 'yes' : 'no', language)],
  ['Kaynak', 'Source', (one, language) => one.source.who ?? wordOf(one.source.kind, language)],
  ['Alıcı', 'Recipients', one => one.total],
  ['İletildi', 'Delivered', one => one.delivered],
  ['İletilemedi', 'Not delivered', one => one.undelivered],
  ['Elendi', 'Filtered', one => one.filtered],
  ['Bekleyen', 'Waiting', one => one.queued + one.withCarrier],
  ['Teslim oranı (%)', 'Delivery rate (%)', one => rateCell(one.delivered, one.undelivered)],
  ['Kredi', 'Credits', one => one.credits],
];
