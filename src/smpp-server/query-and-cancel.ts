// query_sm and cancel_sm: the state of a message, by the id in the answer to its submit. A user sees only its own messages.
import { type Db, row, sql } from '../db/db.ts';
import { cancelOrder } from '../orders/cancel.ts';
import { orderKnownBy } from '../orders/known-by.ts';
import type { OrderState } from '../orders/states.ts';
import { type ReceiptState, receiptStates } from '../smpp/receipt.ts';
import { smppTime } from '../smpp/time.ts';
import { receiptState } from './statuses.ts';

type User = { id: number; accountId: number };
type Found = {
  /** Of a part: 0 and 1 not joined yet, 2 joined, 3 failed. */
  groupState: number | null;
  orderId: number | null;
  state: OrderState | null;
  total: number;
  delivered: number;
  undelivered: number;
  finishedAt: Date | null;
  /** Of the message; with several recipients of one submit, of the first. */
  status: number | null;
  finalAt: Date | null;
  reason: number | null;
  /** 0.2.0 stored the order for several submits (orders/known-by). */
  joint: boolean | null;
};

const findSql = sql<Found>('smpp message find')`
  select g.state as "groupState", o.id as "orderId", o.state, o.total, o.delivered, o.undelivered, o.finished_at as "finishedAt",
    m.status, m.final_at as "finalAt", m.reason, o.smpp ? 'each' as joint
  from (select $1::bigint as id) q
  left join smpp_parts p on p.id = q.id
  left join smpp_groups g on g.id = p.group_id and g.user_id = $3
  left join orders o on o.id = coalesce(g.order_id, case when p.id is null then $4::bigint end) and o.account_id = $2
    and o.smpp ->> 'u' = $3::bigint::text
  left join messages m on m.account_id = o.account_id
    and m.id = o.first_message_id + case when o.smpp ? 'each' then q.id - o.id else 0 end
  where g.id is not null or o.id is not null`;

async function find(db: Db, user: User, messageId: string): Promise<Found | undefined> {
  if (!/^\d{1,15}$/.test(messageId)) return undefined;
  const id = Number(messageId);
  return row(db, findSql, [id, user.accountId, user.id, await orderKnownBy(db, user.accountId, id)]);
}

type MessageState = { messageState: number; finalDate: string; errorCode: number };

/** Null: the user has no such message. */
export async function queryMessage(db: Db, user: User, messageId: string): Promise<MessageState | null> {
  const found = await find(db, user, messageId);
  if (!found) return null;
  const state = stateOf(found);
  const reason = state === 'DELIVRD' || state === 'ENROUTE' ? 0 : (found.reason ?? 0);
  const endedAt = found.joint ? found.finalAt : found.finishedAt;
  return {
    messageState: receiptStates.indexOf(state) + 1,
    finalDate: endedAt && state !== 'ENROUTE' ? smppTime(endedAt) : '',
    errorCode: Math.min(255, reason),
  };
}

function stateOf(found: Found): ReceiptState {
  if (found.state === null) return found.groupState === 3 ? 'UNDELIV' : 'ENROUTE';
  const { status, reason } = found;
  if (found.joint) return status === 111 || status === 112 ? receiptState(status, reason ?? 0) : 'ENROUTE';
  if (found.delivered + found.undelivered < found.total) return 'ENROUTE';
  if (found.undelivered === 0) return 'DELIVRD';
  // Some of several recipients were reached: neither DELIVRD nor UNDELIV is true of all.
  return found.delivered > 0 ? 'ACCEPTD' : receiptState(112, reason ?? 0);
}

/** Returns whether a scheduled message was cancelled. */
export async function cancelMessage(db: Db, user: User, messageId: string): Promise<boolean> {
  const found = await find(db, user, messageId);
  if (!found?.orderId || found.state !== 'scheduled') return false;
  return cancelOrder(db, user.accountId, found.orderId).then(
    () => true,
    () => false,
  );
}
