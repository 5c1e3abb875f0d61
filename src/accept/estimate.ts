// Estimates an order without storing it, by the functions that check a real order, and with the same refusals.
import type { Account } from '../accounts/account.ts';
import { readBalance } from '../balance/ledger.ts';
import type { Db } from '../db/db.ts';
import { blockedReasons } from '../queue/claim.ts';
import { nobodyConsents, Refusal } from '../status.ts';
import { judgeDraft } from './accept.ts';
import type { OrderDraft } from './draft.ts';

export type Estimate = {
  sendable: number;
  invalid: number;
  blacklisted: number;
  withoutConsent: number;
  credits: number;
  balance: number;
  /** The text as it will be sent: characters outside the alphabet are replaced. */
  text: string;
  texts: number;
  /** Parts of the longest text. */
  parts: number;
  /** Null: now. */
  sendAt: Date | null;
};

const [blacklistedReason, consentReason] = [2, 3];

export async function estimateOrder(db: Db, account: Account, draft: OrderDraft, now: Date): Promise<Estimate> {
  const request = await judgeDraft(account, draft, null, now);
  const { numbers, textNos } = request.recipients;
  const good = numbers.flatMap((number, i) =>
    number > 0 ? [{ number, text: request.texts[(textNos?.[i] ?? 1) - 1]! }] : [],
  );
  const given = good.map(one => one.number);
  const blocked = await blockedReasons(db, account.id, given, request.consentList);
  const sendable = good.filter((_, i) => blocked[i] === 0);
  const withoutConsent = blocked.filter(reason => reason === consentReason).length;
  if (sendable.length === 0) throw withoutConsent > 0 ? new Refusal(469, undefined, nobodyConsents) : new Refusal(452);
  const credits = sendable.reduce((sum, one) => sum + one.text.parts, 0);
  const balance = (await readBalance(db, account.id))!.sms;
  if (balance < credits) throw new Refusal(402);
  return {
    sendable: sendable.length,
    invalid: numbers.length - good.length,
    blacklisted: blocked.filter(reason => reason === blacklistedReason).length,
    withoutConsent,
    credits,
    balance,
    text: request.texts[0]!.text,
    texts: request.texts.length,
    parts: request.texts.reduce((most, one) => Math.max(most, one.parts), 0),
    sendAt: request.sendAt,
  };
}
