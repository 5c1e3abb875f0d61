// send-sms and cancel-order: wire names to an order draft and back.
import { acceptOrder } from '../orders/accept.ts';
import { cancelOrder } from '../orders/cancel.ts';
import type { IdempotencyKey, OrderDraft } from '../orders/draft.ts';
import { findRepeat } from '../orders/idempotency.ts';
import { Refusal } from '../status.ts';
import type { Mode } from '../text/prepare.ts';
import type { ApiCall } from './context.ts';
import { asMembers, type Members, own } from './envelope.ts';
import { findList, readId, readSendTime } from './read.ts';

export async function sendSms(call: ApiCall): Promise<Members> {
  const order = asMembers(own(call.request, 'order'))!;
  const idempotency = readIdempotencyKey(call);
  const repeated = idempotency && (await findRepeat(call.db, call.account.id, idempotency, call.now));
  if (repeated) return orderAnswer(repeated);
  const accepted = await acceptOrder(call.orders, call.account, readDraft(order), idempotency, call.now);
  return orderAnswer(accepted.id);
}

export async function cancelSms(call: ApiCall): Promise<undefined> {
  const id = readId(own(asMembers(own(call.request, 'order'))!, 'id'));
  if (id === null) throw new Refusal(455);
  await cancelOrder(call.db, call.account.id, id);
}

/** Published clients read `order.id`, the specification says `orderId`: both, as a string of digits. */
function orderAnswer(id: number): Members {
  return { order: { id: String(id), orderId: String(id) } };
}

function readDraft(order: Members): OrderDraft {
  const message = own(order, 'message');
  const list = own(order, 'iysList');
  return {
    sender: own(order, 'sender'),
    texts: (findList(message) ?? [message]).map(readText),
    severalPerEntry: true,
    mode: modes.get(own(order, 'encoding')),
    sendAt: readSendTime(own(order, 'sendDateTime')),
    consentCheck: readConsentCheck(own(order, 'iys')),
    consentList: list === 'BIREYSEL' || list === 'TACIR' ? list : null,
    source: 'api',
  };
}

function readText(message: unknown): OrderDraft['texts'][number] {
  const members = asMembers(message) ?? {};
  const text = own(members, 'text');
  const number = own(asMembers(own(members, 'receipents')) ?? {}, 'number');
  return {
    text: typeof text === 'string' ? text : typeof text === 'number' ? String(text) : '',
    recipients: findList(number) ?? (number === undefined || number === null || number === '' ? [] : [number]),
  };
}

/** Clients of old choose the mode with each order; anything else leaves it to the account. */
const modes = new Map<unknown, Mode>([
  ['utf8', 'unicode'],
  ['gsm0338-tr', 'turkish'],
  ['gsm0338', 'english'],
]);

function readConsentCheck(value: unknown): boolean | 'unclear' {
  if (value === undefined || value === null || value === '') return false;
  if (value === '0' || value === 0 || value === false) return false;
  if (value === '1' || value === 1 || value === true) return true;
  return 'unclear';
}

function readIdempotencyKey(call: ApiCall): IdempotencyKey | null {
  const key = call.idempotencyKey;
  if (key === undefined) return null;
  if (!/^[\x20-\x7e]{1,255}$/.test(key))
    throw new Refusal(422, { 'Idempotency-Key': 'Anahtar 1 ile 255 arasında ASCII karakter olmalıdır.' });
  return { key, bodyDigest: call.bodyDigest() };
}
