// What can be said against a draft by looking at it and at the account, in the order in which it is answered. Accepting
// refuses with the first; the panel's dry run shows them all.
import type { Account } from '../accounts/account.ts';
import { limits } from '../limits.ts';
import { testSender } from '../senders/senders.ts';
import type { StatusCode } from '../status.ts';
import { isBlank } from '../text/convert.ts';
import type { PreparedText } from '../text/prepare.ts';
import type { OrderDraft } from './draft.ts';

/** Every text must have words in it before any may be called too long: 454 comes before 453. */
export function textObjection(prepared: PreparedText[]): StatusCode | null {
  if (prepared.length === 0 || prepared.some(one => one.units === 0 || isBlank(one.text))) return 454;
  return prepared.some(one => one.parts > limits.partsMax) ? 453 : null;
}

export function timeObjection(draft: Pick<OrderDraft, 'sendAt'>): StatusCode | null {
  return draft.sendAt === 'malformed' ? 457 : null;
}

type ConsentChoice = Pick<OrderDraft, 'sender' | 'consentCheck' | 'consentList'>;

export function consentObjection(account: Account, draft: ConsentChoice): StatusCode | null {
  if (draft.sender === testSender || draft.consentCheck === false) return null;
  if (draft.consentCheck === 'unclear') return 468;
  if (!draft.consentList) return 469;
  return account.brands.length === 0 ? 470 : null;
}

/** The list to check consent against, or null when none is to be checked. APITEST never is commercial. */
export function consentListOf(draft: ConsentChoice): 'BIREYSEL' | 'TACIR' | null {
  return draft.sender !== testSender && draft.consentCheck === true ? draft.consentList : null;
}
