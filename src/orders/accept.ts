// Accepting an order: the policy, step by step, in the order in which its refusals are answered. What can be judged from
// the request is judged here; what depends on stored data (blacklist, consent, duplicates, credit) is judged and written by
// one function in the database, in one transaction (accept_order_1).
import type { Account } from '../accounts/account.ts';
import { limits } from '../limits.ts';
import { senderUsable, testSender } from '../senders/senders.ts';
import { Refusal, type StatusCode } from '../status.ts';
import { isBlank } from '../text/convert.ts';
import { type PreparedText, prepareText } from '../text/prepare.ts';
import type { AcceptQueue } from './accept-queue.ts';
import type { IdempotencyKey, OrderDraft } from './draft.ts';
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
  const sender = requireSender(account, draft);
  const texts = prepareTexts(account, draft);
  const sendAt = requireSendTime(draft, now);
  const consentList = requireConsentChoice(account, draft, sender);
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
    believed: account.belief ?? null,
    texts,
    recipients,
    idempotency,
  });
  if (answer.code !== 200) throw new Refusal(answer.code as StatusCode);
  return { id: answer.orderId };
}

function requireSender(account: Account, draft: OrderDraft): string {
  if (!senderUsable(account.senders, draft.sender)) throw new Refusal(450);
  return draft.sender;
}

function prepareTexts(account: Account, draft: OrderDraft): PreparedText[] {
  const prepared = draft.texts.map(one => prepareText(one.text, account.mode));
  // Every text must have words in it before any may be called too long: 454 comes before 453.
  if (prepared.length === 0 || prepared.some(one => one.units === 0 || isBlank(one.text))) throw new Refusal(454);
  if (prepared.some(one => one.parts > limits.partsMax)) throw new Refusal(453);
  return prepared;
}

/** null = now. A time that has passed counts as now. */
function requireSendTime(draft: OrderDraft, now: Date): Date | null {
  if (draft.sendAt === 'malformed') throw new Refusal(457);
  return draft.sendAt && draft.sendAt > now ? draft.sendAt : null;
}

/** The list to check consent against, or null when none is to be checked. APITEST never is commercial. */
function requireConsentChoice(account: Account, draft: OrderDraft, sender: string): 'BIREYSEL' | 'TACIR' | null {
  if (sender === testSender) return null;
  if (draft.consentCheck === 'unclear') throw new Refusal(468);
  if (!draft.consentCheck) return null;
  if (!draft.consentList) throw new Refusal(469);
  if (account.brands.length === 0) throw new Refusal(470);
  return draft.consentList;
}
