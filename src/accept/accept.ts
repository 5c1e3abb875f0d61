// Accepts an order: the policy, step by step, in the order of precedence of its refusals. What the request alone decides is checked
// here; what depends on stored data (keys, blacklist, consent, duplicates, credit) is checked and written by one function in the
// database, in one transaction (sql/accept.sql).
import type { Account } from '../accounts/account.ts';
import type { Tx } from '../db/db.ts';
import { breather } from '../loops/in-turns.ts';
import { sealText } from '../sealing/content.ts';
import { senderUsable } from '../senders/senders.ts';
import { nobodyConsents, Refusal, type StatusCode } from '../status.ts';
import { type Mode, type PreparedText, prepareText } from '../text/prepare.ts';
import type { AcceptQueue } from './accept-queue.ts';
import type { AcceptRequest } from './accept-request.ts';
import type { IdempotencyKey, OrderDraft } from './draft.ts';
import { consentListOf, consentObjection, textObjection, timeObjection } from './objections.ts';
import { readRecipients, textsPerTurn } from './recipients.ts';

/** Returns the id of the order. */
export async function acceptOrder(
  queue: AcceptQueue,
  account: Account,
  draft: OrderDraft,
  idempotency: IdempotencyKey | null,
  now: Date,
): Promise<number> {
  const request = await judgeDraft(account, draft, idempotency, now);
  await sealTexts(request);
  const answer = await queue.accept(request);
  // 469 here means: a consent list was given and nobody on it has consented.
  if (answer.code === 469) throw new Refusal(469, undefined, nobodyConsents);
  if (answer.code !== 200) throw new Refusal(answer.code as StatusCode);
  return answer.orderId;
}

/** Accepts several orders: all of them are stored, or none. `kept` runs in the same transaction, after them. */
export function acceptOrders(
  queue: AcceptQueue,
  account: Account,
  drafts: (tx: Tx) => AsyncIterable<OrderDraft>,
  now: Date,
  kept: (tx: Tx, orderIds: number[]) => Promise<unknown>,
): Promise<number[]> {
  return queue.acceptAll(tx => judged(account, drafts(tx), now), kept);
}

/** Leaves out an order with only bad numbers; if no order is left, the queue refuses. */
async function* judged(account: Account, drafts: AsyncIterable<OrderDraft>, now: Date): AsyncGenerator<AcceptRequest> {
  for await (const draft of drafts) {
    const request = await judgeDraft(account, draft, null, now).catch(unlessNobody);
    if (!request) continue;
    await sealTexts(request);
    // Without a version of the account: thousands of rows take seconds, and an account that was moved away meanwhile has no balance here.
    yield { ...request, stamp: 0 };
  }
}

function unlessNobody(error: unknown): null {
  if (error instanceof Refusal && error.code === 452) return null;
  throw error;
}

/** Seals each text once, however many recipients get it. */
async function sealTexts({ texts }: AcceptRequest): Promise<void> {
  for (const [i, one] of texts.entries()) {
    one.text = sealText(one.text);
    if (i % textsPerTurn === textsPerTurn - 1) await breather();
  }
}

/** Checks what needs no database, in order of precedence. Thousands of texts are checked with pauses. */
export async function judgeDraft(
  account: Account,
  draft: OrderDraft,
  idempotency: IdempotencyKey | null,
  now: Date,
): Promise<AcceptRequest> {
  const { sender } = draft;
  if (!senderUsable(account.senders, sender)) throw new Refusal(450);
  const texts = await prepareTexts(draft.texts, draft.mode ?? account.mode);
  refuseWith(textObjection(texts));
  refuseWith(timeObjection(draft));
  refuseWith(consentObjection(account, draft));
  const sendAt = laterThan(draft, now);
  const consentList = consentListOf(draft);
  return {
    given: draft,
    accountId: account.id,
    sender,
    lane: consentList ? 1 : 0,
    consentList,
    submitAt: now,
    sendAt,
    rate: account.rate,
    stamp: account.stamp,
    texts,
    recipients: await readRecipients(draft, account.abroad),
    idempotency,
    repeatable: draft.fingerprint === undefined,
  };
}

export async function prepareTexts(texts: OrderDraft['texts'], mode: Mode): Promise<PreparedText[]> {
  const prepared: PreparedText[] = [];
  for (const one of texts) if (prepared.push(prepareText(one.text, mode)) % textsPerTurn === 0) await breather();
  return prepared;
}

function refuseWith(code: StatusCode | null): void {
  if (code !== null) throw new Refusal(code);
}

/** Null means now, as does a time that has passed. */
function laterThan({ sendAt }: OrderDraft, now: Date): Date | null {
  return sendAt instanceof Date && sendAt > now ? sendAt : null;
}
