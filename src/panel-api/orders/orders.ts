// Orders and reports: the list, one order, its recipients, one message, cancel.

import { formatNumber, parseNumber } from '../../numbers/phone.ts';
import { cancelOrder } from '../../orders/cancel.ts';
import { encodingName } from '../../orders/encodings.ts';
import { rescheduleOrder } from '../../queue/reschedule.ts';
import { Refusal } from '../../status.ts';
import { auditEntry } from '../audit/audit-entry.ts';
import type { AccountCall, Handlers, InputRead } from '../call/context.ts';
import { bad, iso } from '../contract/input.ts';
import { cursorParts, pageOf } from '../queries/conditions.ts';
import { turkeyMinute } from '../send/form.ts';
import { PanelRefusal } from '../words/errors.ts';
import type { MessageView } from './contract.ts';
import { stagesOf } from './message-stages.ts';
import { orderNumbers } from './order-detail.ts';
import {
  type OrderRow,
  type OrdersAsked,
  orderRow,
  orderRows,
  scheduledCount,
  showOrder,
  upcomingRows,
} from './order-lines.ts';
import { rangeOf, viewOrder } from './order-view.ts';
import {
  type MessageDetail,
  messageDetail,
  messageSubmissions,
  type RecipientsAsked,
  recipientRows,
  showRecipient,
  submittedAmong,
} from './recipient-lines.ts';
import { smppIdsOf } from './smpp-ids.ts';

const rowsUsual = 30;
const upcomingMax = 500;

export const orderHandlers = {
  async 'orders.list'(call) {
    const size = call.input.limit ?? rowsUsual;
    const found = await orderRows(call.db, call.account.id, readOrderFilter(call.input), size + 1);
    const cursor = (last: OrderRow) => `${last.submitAt.getTime()}.${last.id}`;
    return { ...pageOf(found, size, cursor, showOrder), retentionDays: call.options.retentionDays };
  },

  async 'orders.scheduled'(call) {
    const found = await upcomingRows(call.db, call.account.id, upcomingMax);
    return { rows: found.map(showOrder), total: await scheduledCount(call.db, call.account.id) };
  },

  async 'orders.read'(call) {
    const view = await viewOrder(call.db, call.account.id, call.input.id, call.orders.closeAfterMs);
    if (!view) throw new PanelRefusal('not-found', { field: 'id' });
    return view;
  },

  async 'orders.recipients'(call) {
    const order = await requireOrder(call, call.input.id);
    const size = call.input.limit ?? 50;
    const range = rangeOf(call.account.id, order);
    const found = await recipientRows(call.db, range, readRecipientFilter(call.input), size + 1);
    const submitted = await submittedAmong(call.db, found);
    return pageOf(
      found,
      size,
      last => String(last.id),
      one => showRecipient(one, submitted.has(one.id)),
    );
  },

  async 'orders.message'(call) {
    const { db, account } = call;
    const found = await messageDetail(db, account.id, call.input.orderId, call.input.messageId);
    if (!found) throw new PanelRefusal('not-found', { field: 'messageId' });
    return showMessage(found, await messageSubmissions(db, account.id, found.id));
  },

  async 'orders.reuse'(call) {
    const range = rangeOf(call.account.id, await requireOrder(call, call.input.id));
    const found = await orderNumbers(call.db, range, call.input.which);
    return { numbers: found.map(one => formatNumber(one.number)) };
  },

  async 'orders.cancel'(call) {
    const order = await requireOrder(call, call.input.id);
    await cancelOrder(call.db, call.account.id, order.id).catch(tooLate);
    await auditEntry(call, 'order.cancel', { orderId: order.id });
    return {};
  },

  async 'orders.reschedule'(call) {
    const order = await requireOrder(call, call.input.id);
    const sendAt = turkeyMinute(call.input.sendAt);
    if (sendAt === 'malformed' || sendAt <= call.now) throw bad('sendAt');
    await rescheduleOrder(call.db, call.account.id, order.id, sendAt).catch(tooLate);
    await auditEntry(call, 'order.reschedule', { orderId: order.id, from: iso(order.sendAt), to: iso(sendAt) });
    return {};
  },
} satisfies Partial<Handlers>;

/** The order exists, so "not found" means that it was already too late. */
function tooLate(error: unknown): never {
  throw error instanceof Refusal ? new PanelRefusal('too-late', { field: 'id' }) : error;
}

export async function requireOrder(call: Pick<AccountCall, 'db' | 'account'>, orderId: number): Promise<OrderRow> {
  const order = await orderRow(call.db, call.account.id, orderId);
  if (!order) throw new PanelRefusal('not-found', { field: 'id' });
  return order;
}

export function readOrderFilter({ cursor, search, limit: _, ...rest }: InputRead<'orders.list'>): OrdersAsked {
  const before = cursorParts(cursor, 2);
  return {
    ...rest,
    ...readSearch(search),
    ...(before ? { before: { at: new Date(before[0]!), id: before[1]! } } : {}),
  };
}

/** One field for three things: a phone number in any form, an order id, a piece of text. */
function readSearch(given: string | undefined): Pick<OrdersAsked, 'id' | 'number' | 'text'> {
  const text = given?.trim() ?? '';
  if (text === '') return {};
  const number = parseNumber(text, true);
  if (number > 0) return { number };
  return /^\d{6,15}$/.test(text) ? { id: Number(text) } : { text };
}

export function readRecipientFilter(input: InputRead<'orders.recipients'>): RecipientsAsked {
  const given = input.number?.trim() ?? '';
  const number = parseNumber(given, true);
  const digits = given.replace(/[^\d]/g, '') || given;
  return {
    state: input.state,
    reason: input.reason,
    operator: input.operator,
    ...(number > 0 ? { number } : digits === '' ? {} : { digits }),
    after: cursorParts(input.cursor, 1)?.[0],
  };
}

function showMessage(one: MessageDetail, submitted: Awaited<ReturnType<typeof messageSubmissions>>): MessageView {
  const line = showRecipient(one, submitted.length > 0);
  return {
    ...line,
    orderId: one.orderId,
    sender: one.sender,
    text: one.text,
    encoding: encodingName(one.encoding),
    parts: one.parts,
    acceptedAt: iso(one.submitAt),
    sendAt: iso(one.sendAt),
    stages: stagesOf(one, line.state, one.reason, submitted[0]?.at ?? null),
    technical: {
      carrier: submitted[0]?.carrier ?? null,
      carrierIds: submitted.map(row => row.smscId),
      smppIds: smppIdsOf(one.origin, one.orderId, one.nth),
      partsHandedOver: submitted.length,
    },
  };
}
