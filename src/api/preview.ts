// Price preview of an order, and sending it for at most that price. Assistants use both (src/mcp). They are not part of the v1
// interface, but are authenticated, refused and logged like its operations.

import { type Estimate, estimateOrder } from '../accept/estimate.ts';
import { findRepeat } from '../accept/idempotency.ts';
import { readerOf } from '../contract/reader.ts';
import { about, Type } from '../contract/type.ts';
import { Refusal } from '../status.ts';
import { toTurkeyTime } from '../time/clock.ts';
import type { ApiCall } from './context.ts';
import { type Operation, operations } from './operations.ts';
import { orderDraft, requireCeiling } from './orders.ts';
import { sendSmsRequest } from './orders-contract.ts';

const readOrder = readerOf(sendSmsRequest, field => new Error(`${field} has no lenient reading`));

export const previewAnswer = Type.Object({
  preview: Type.Object({
    credits: Type.Integer({ ...about('price of the order', 'siparişin fiyatı') }),
    balance: Type.Integer({ ...about('credit before sending', 'gönderimden önceki kredi') }),
    sendable: Type.Integer({ ...about('recipients that will be written to', 'yazılacak alıcılar') }),
    invalid: Type.Integer({ ...about('bad numbers', 'hatalı numaralar') }),
    blacklisted: Type.Integer(),
    withoutConsent: Type.Integer(),
    text: Type.String({
      ...about('as it will be sent, without the operator code', 'gönderileceği gibi, operatör kodu olmadan'),
    }),
    texts: Type.Integer(),
    parts: Type.Integer({ ...about('of the longest text', 'en uzun metnin') }),
    sendAt: Type.Union([Type.String(), Type.Null()], { ...about('null = at once', 'null = hemen') }),
  }),
});

const send = operations.find(one => one.name === 'send-sms')!;

export const previewOperation: Operation = {
  ...send,
  name: 'preview-sms',
  en: 'What an order would cost and whom it would reach; sends nothing.',
  tr: 'Bir siparişin ne tutacağı ve kime ulaşacağı; hiçbir şey göndermez.',
  optimistic: false,
  handler: async call => ({ preview: shownEstimate(await estimateOf(call)) }),
};

/** send-sms that refuses an order whose price has risen since its preview; a repeated call gets its first answer. */
export function sendAtMost(credits: number): Operation {
  return {
    ...send,
    optimistic: false,
    handler: async call => {
      if (!(await isRepeat(call)) && (await estimateOf(call)).credits > credits)
        throw new Refusal(422, { confirmation: 'Fiyat önizlemeden sonra arttı; yeniden önizleyin.' });
      return send.handler(call);
    },
  };
}

function estimateOf(call: ApiCall): Promise<Estimate> {
  const draft = orderDraft(readOrder(call.request));
  if (call.key) requireCeiling(call.key, draft);
  return estimateOrder(call.db, call.account, draft, call.now);
}

async function isRepeat(call: ApiCall): Promise<boolean> {
  const idempotency = { key: call.idempotencyKey!, bodyDigest: call.bodyDigest() };
  return (await findRepeat(call.db, call.account.id, idempotency, call.now)) !== null;
}

function shownEstimate({ sendAt, ...rest }: Estimate) {
  return { ...rest, sendAt: sendAt && toTurkeyTime(sendAt) };
}
