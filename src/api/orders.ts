// send-sms and cancel-order: wire names to an order draft and back.

import { acceptOrder } from '../accept/accept.ts';
import type { IdempotencyKey, OrderDraft } from '../accept/draft.ts';
import { findRepeat } from '../accept/idempotency.ts';
import type { Read } from '../contract/lenient.ts';
import { cancelOrder } from '../orders/cancel.ts';
import { Refusal } from '../status.ts';
import type { ApiCall } from './context.ts';
import type { cancelRequest, sendSmsRequest } from './orders-contract.ts';

export async function sendSms(call: ApiCall, given: Read<typeof sendSmsRequest>) {
  const idempotency = readIdempotencyKey(call);
  try {
    return orderAnswer(await acceptOrder(call.orders, call.account, orderDraft(given), idempotency, call.now));
  } catch (error) {
    // A repeat gets the first answer, even if the request would be refused by now; not on the strength of a remembered account.
    if (!idempotency || !(error instanceof Refusal) || call.account.remembered) throw error;
    const before = await findRepeat(call.db, call.account.id, idempotency, call.now);
    if (before === null) throw error;
    return orderAnswer(before);
  }
}

export async function cancelSms(call: ApiCall, { order }: Read<typeof cancelRequest>): Promise<undefined> {
  if (order.id === null) throw new Refusal(455);
  await cancelOrder(call.db, call.account.id, order.id);
}

/** Published clients read `order.id`, the specification says `orderId`: both, as a string of digits. */
function orderAnswer(id: number) {
  return { order: { id: String(id), orderId: String(id) } };
}

export function orderDraft({ order }: Read<typeof sendSmsRequest>): OrderDraft {
  return {
    sender: order.sender,
    texts: order.message,
    severalPerEntry: true,
    mode: order.encoding,
    sendAt: order.sendDateTime,
    consentCheck: order.iys,
    consentList: order.iysList,
    source: 'api',
  };
}

function readIdempotencyKey(call: ApiCall): IdempotencyKey | null {
  const key = call.idempotencyKey;
  if (key === undefined) return null;
  if (!/^[\x20-\x7e]{1,255}$/.test(key))
    throw new Refusal(422, { 'Idempotency-Key': 'Anahtar 1 ile 255 arasında ASCII karakter olmalıdır.' });
  return { key, bodyDigest: call.bodyDigest() };
}
