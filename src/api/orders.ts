// send-sms and cancel-order: translates wire names to an order draft and back.
import { acceptOrder } from '../accept/accept.ts';
import type { IdempotencyKey, OrderDraft } from '../accept/draft.ts';
import { findRepeat } from '../accept/idempotency.ts';
import { giveBackOfDay, takeOfDay } from '../accounts/key-limits.ts';
import type { Read } from '../contract/lenient.ts';
import { cancelOrder } from '../orders/cancel.ts';
import { Refusal } from '../status.ts';
import type { ApiCall } from './context.ts';
import type { cancelRequest, sendSmsRequest } from './orders-contract.ts';

export async function sendSms(call: ApiCall, given: Read<typeof sendSmsRequest>) {
  const idempotency = readIdempotencyKey(call);
  const draft = orderDraft(given);
  const giveBack = call.key && (await takeOfKey(call, call.key, draft, idempotency));
  try {
    return orderAnswer(await acceptOrder(call.orders, call.account, draft, idempotency, call.now));
  } catch (error) {
    await giveBack?.();
    // A repeated key gets the first answer, even if the request would be refused now. The check does not trust a remembered
    // account.
    if (!idempotency || !(error instanceof Refusal) || call.account.remembered) throw error;
    const before = await findRepeat(call.db, call.account.id, idempotency, call.now);
    if (before === null) throw error;
    return orderAnswer(before);
  }
}

/** Checks the key's limits: recipients of a call, messages of a day. Returns a function that gives the counted messages back. */
async function takeOfKey(
  { db, account, now }: ApiCall,
  limits: NonNullable<ApiCall['key']>,
  draft: OrderDraft,
  idempotency: IdempotencyKey | null,
): Promise<(() => Promise<void>) | undefined> {
  const count = requireCeiling(limits, draft);
  const { key, dailyMax } = limits;
  if (dailyMax === null || (idempotency && (await findRepeat(db, account.id, idempotency, now)) !== null))
    return undefined;
  if (!(await takeOfDay(db, account.id, key, count, dailyMax)))
    throw new Refusal(452, undefined, `Anahtarın günlük sınırı doldu: ${dailyMax}`);
  return () => giveBackOfDay(db, account.id, key, count);
}

/** Returns the number of recipients. */
export function requireCeiling({ recipientsMax }: NonNullable<ApiCall['key']>, { texts }: OrderDraft): number {
  const count = texts.reduce((sum, one) => sum + one.recipients.length, 0);
  if (recipientsMax !== null && count > recipientsMax)
    throw new Refusal(452, undefined, `Anahtarın alıcı sınırı aşıldı: ${recipientsMax}`);
  return count;
}

export async function cancelSms(call: ApiCall, { order }: Read<typeof cancelRequest>): Promise<undefined> {
  if (order.id === null) throw new Refusal(455);
  await cancelOrder(call.db, call.account.id, order.id);
}

/** Published clients read `order.id`, the specification says `orderId`: the answer has both, as a string of digits. */
function orderAnswer(id: number) {
  return { order: { id: String(id), orderId: String(id) } };
}

/** The other members have the same name in a draft. A copy with a rest would take 9 µs, this takes 0.4. */
export function orderDraft({ order }: Read<typeof sendSmsRequest>): OrderDraft {
  return Object.assign(order, {
    texts: order.message,
    severalPerEntry: true,
    mode: order.encoding,
    sendAt: order.sendDateTime,
    consentCheck: order.iys,
    consentList: order.iysList,
    source: 'api',
  });
}

function readIdempotencyKey(call: ApiCall): IdempotencyKey | null {
  const key = call.idempotencyKey;
  if (key === undefined) return null;
  if (!/^[\x20-\x7e]{1,255}$/.test(key))
    throw new Refusal(422, { 'Idempotency-Key': 'Anahtar 1 ile 255 arasında ASCII karakter olmalıdır.' });
  return { key, bodyDigest: call.bodyDigest() };
}
