// Messages of an order as a list, and one of them with what carriers reported.

import { type Queryable, row, rows, sql } from '../../db/db.ts';
import { operatorOf } from '../../numbers/operators.ts';
import { formatNumber } from '../../numbers/phone.ts';
import { isFiltered } from '../../orders/reasons.ts';
import { shownText } from '../../sealing/content.ts';
import { iso } from '../contract/input.ts';
import { type Column, timeCell } from '../exports/column.ts';
import { wordOf } from '../exports/words.ts';
import { Conditions, likePiece } from '../queries/conditions.ts';
import type { MessageState, Operator, RecipientLine } from './contract.ts';
import { blocksOfOperator, namedOperators } from './operators.ts';
import type { Range } from './order-detail.ts';
import { showReasonOf } from './reason-advice.ts';
import type { SmppOrigin } from './smpp-ids.ts';

export type MessageRow = {
  id: number;
  orderId: number;
  number: number | null;
  given: string | null;
  status: number;
  reason: number;
  credits: number;
  finalAt: Date | null;
  textNo: number;
};
export type RecipientsAsked = {
  state?: MessageState;
  reason?: number;
  operator?: Operator;
  number?: number;
  digits?: string;
  after?: number;
};

export const messageColumns = `m.id, m.order_id as "orderId", m.number, m.given, m.status, m.reason, m.credits,
  m.final_at as "finalAt", m.text_no as "textNo"`;

const submitted = `m.id in (select s.message_id from submits s where s.message_id >= $2 and s.message_id < $3)`;
const stateConditions: Record<MessageState, string> = {
  queued: `m.status = 110 and not (${submitted})`,
  'with-carrier': `m.status = 110 and ${submitted}`,
  delivered: 'm.status = 111',
  undelivered: `m.status = 112 and not (${isFiltered('m.reason')})`,
  filtered: `m.status = 112 and ${isFiltered('m.reason')}`,
};

export async function recipientRows(
  db: Queryable,
  range: Range,
  asked: RecipientsAsked,
  most: number,
): Promise<MessageRow[]> {
  const filter = new Conditions()
    .add('m.account_id = ?', range.accountId)
    .add('m.id >= ?', range.first)
    .add('m.id < ?', range.end)
    .add('m.id > ?', asked.after)
    .add('m.reason = ?', asked.reason)
    .add('m.number = ?', asked.number)
    .add("coalesce(m.number::text, m.given, '') like ?", asked.digits && likePiece(asked.digits));
  if (asked.state) filter.plain(stateConditions[asked.state]);
  addOperator(filter, asked.operator);
  const found = await db.query(
    `select ${messageColumns} from messages m ${filter.where} order by m.id limit ${filter.place(most)}`,
    filter.values,
  );
  return found.rows as MessageRow[];
}

function addOperator(filter: Conditions, operator: Operator | undefined): void {
  if (operator === undefined) return;
  if (operator !== 'other') filter.add('m.number / 100000 = any (?::bigint[])', blocksOfOperator(operator));
  else
    filter.add(
      'm.number is not null and m.number / 100000 <> all (?::bigint[])',
      namedOperators.flatMap(blocksOfOperator),
    );
}

const textsSql = sql<{ no: number; text: string }>('panel texts among')`
  select no, text from order_texts where order_id = $1 and account_id = $2 and no = any ($3)`;

/** The texts of these messages by number, as sent. */
export async function textsAmong(
  db: Queryable,
  accountId: number,
  orderId: number,
  messages: MessageRow[],
): Promise<Map<number, string>> {
  const nos = [...new Set(messages.map(one => one.textNo))];
  return new Map((await rows(db, textsSql, [orderId, accountId, nos])).map(one => [one.no, shownText(one.text)]));
}

const submittedSql = sql<{ id: number }>('panel submitted')`
  select distinct message_id as id from submits where message_id between $1 and $2`;
const submittedListSql = sql<{ id: number }>('panel submitted list')`
  select distinct message_id as id from submits
  where message_id between (select min(i) from unnest($1::bigint[]) i) and (select max(i) from unnest($1::bigint[]) i)
    and message_id = any ($1)`;

/** Which of these messages of one order a carrier has. */
export async function submittedAmong(db: Queryable, messages: MessageRow[], isRange = true): Promise<Set<number>> {
  const open = messages.filter(one => one.status === 110).map(one => one.id);
  if (open.length === 0) return new Set();
  const found = isRange
    ? await rows(db, submittedSql, [Math.min(...open), Math.max(...open)])
    : await rows(db, submittedListSql, [open]);
  return new Set(found.map(one => one.id));
}

export function showRecipient(one: MessageRow, isSubmitted: boolean): RecipientLine {
  const reason = one.status === 112 ? showReasonOf(one.reason, one.given) : null;
  return {
    messageId: one.id,
    number: one.number === null ? (one.given ?? '') : formatNumber(one.number),
    operator: one.number === null ? null : operatorOf(one.number),
    status: one.status,
    state: stateOf(one.status, reason?.filtered ?? false, isSubmitted),
    reason,
    credits: one.status === 112 ? 0 : one.credits,
    finalAt: iso(one.finalAt),
    textNo: one.textNo,
  };
}

function stateOf(status: number, isFiltered: boolean, isSubmitted: boolean): MessageState {
  if (status === 111) return 'delivered';
  if (status === 112) return isFiltered ? 'filtered' : 'undelivered';
  return isSubmitted ? 'with-carrier' : 'queued';
}

export type MessageDetail = MessageRow & {
  sender: string;
  text: string;
  encoding: number;
  parts: number;
  submitAt: Date;
  sendAt: Date;
  orderState: string;
  origin: SmppOrigin;
  nth: number;
};
const detailSql = {
  name: 'panel message',
  text: `select ${messageColumns}, o.sender, t.text, t.encoding, t.parts, o.submit_at as "submitAt", o.send_at as "sendAt",
      o.state as "orderState", o.smpp as origin, (m.id - o.first_message_id)::int as nth
    from messages m join orders o on o.id = m.order_id and o.account_id = m.account_id
    join order_texts t on t.order_id = o.id and t.account_id = o.account_id and t.no = m.text_no
    where m.account_id = $1 and m.id = $2 and m.order_id = $3`,
};

export async function messageDetail(db: Queryable, accountId: number, orderId: number, messageId: number) {
  const found = await row<MessageDetail>(db, detailSql, [accountId, messageId, orderId]);
  return found && { ...found, text: shownText(found.text) };
}

const submissionsSql = sql<{ carrier: string; smscId: string; part: number; at: Date }>('panel message submissions')`
  select c.name as carrier, s.smsc_id as "smscId", s.part, s.submitted_at as at from submits s
  join carriers c on c.id = s.carrier_id join messages m on m.id = s.message_id and m.account_id = $2
  where s.message_id = $1 order by s.submitted_at, s.part limit 32`;

export function messageSubmissions(db: Queryable, accountId: number, messageId: number) {
  return rows(db, submissionsSql, [messageId, accountId]);
}

/** Columns of an order's recipients as a file. */
export const recipientFileColumns: Column<ReturnType<typeof showRecipient> & { text: string | null }>[] = [
  ['Numara', 'Number', one => one.number],
  ['Operatör', 'Network', (one, language) => one.operator && wordOf(one.operator, language)],
  ['Durum', 'State', (one, language) => wordOf(one.state, language)],
  ['Sebep', 'Reason', (one, language) => one.reason?.[language] ?? null],
  ['Öneri', 'Advice', (one, language) => one.reason?.advice[language] ?? null],
  ['Kredi', 'Credits', one => one.credits],
  ['Sonuç zamanı', 'Ended', (one, language) => timeCell(one.finalAt, language)],
  ['Metin', 'Text', one => one.text],
];
