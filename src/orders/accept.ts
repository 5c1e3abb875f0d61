// Accepting an order: the policy, step by step, in the order in which its refusals are answered. What can be judged from
// the request is judged here; what depends on stored data (blacklist, consent, duplicates, credit) is judged and written by
// one function in the database, in one transaction (accept_order_1).
import type { Account } from '../accounts/account.ts';
import { senderUsable } from '../senders/senders.ts';
import { Refusal, type StatusCode } from '../status.ts';
import { prepareText } from '../text/prepare.ts';
import type { AcceptQueue } from './accept-queue.ts';
import type { IdempotencyKey, OrderDraft } from './draft.ts';
import { consentListOf, consentObjection, textObjection, timeObjection } from './objections.ts';
import { parseRecipients } from './recipients.ts';

export type AcceptedOrder = { id: number };
export type OrderTimes = { validityMs: number; graceMs: number };

export async function acceptOrder(
  queue: AcceptQueue,
  account: Account,
  draft: OrderDraft,
  idempotency: IdempotencyKey | null,
  now: Date,
): Promise<AcceptedOrder> {
  const { sender } = draft;
  if (!senderUsable(account.senders, sender)) throw new Refusal(450);
  const texts = draft.texts.map(one => prepareText(one.text, account.mode));
  refuseWith(textObjection(texts));
  refuseWith(timeObjection(draft));
  refuseWith(consentObjection(account, draft));
  const sendAt = laterThan(draft, now);
  const consentList = consentListOf(draft);
  const recipients = parseRecipients(draft, account.abroad);
  const answer = await queue.accept({
    accountId: account.id,
    sender,
    lane: consentList ? 1 : 0,
    consentList,
    source: draft.source,
    submitAt: now,
    sendAt: sendAt ?? now,
    scheduled: sendAt !== null,
    rate: account.rate,
    stamp: account.remembered ? account.stamp : null,
    hooked: account.hooked,
    texts,
    recipients,
    idempotency,
  });
  if (answer.code !== 200) throw new Refusal(answer.code as StatusCode);
  return { id: answer.orderId };
}

function refuseWith(code: StatusCode | null): void {
  if (code !== null) throw new Refusal(code);
}

/** null = now. A time that has passed counts as now. */
function laterThan({ sendAt }: OrderDraft, now: Date): Date | null {
  return sendAt instanceof Date && sendAt > now ? sendAt : null;
}
