// Checks of a draft against its account, in order of precedence. Acceptance refuses with the first objection; the panel's preview
// shows them all.
import type { Account } from '../accounts/account.ts';
import { limits } from '../limits.ts';
import { testSender } from '../senders/senders.ts';
import type { StatusCode } from '../status.ts';
import { isBlank } from '../text/convert.ts';
import type { PreparedText } from '../text/prepare.ts';
import type { OrderDraft } from './draft.ts';

/** An empty text (454) has precedence over one that is too long (453). */
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

/** The list to check consent against, or null for messages that are not commercial. APITEST never is. */
export function consentListOf(draft: ConsentChoice): 'BIREYSEL' | 'TACIR' | null {
  return draft.sender !== testSender && draft.consentCheck === true ? draft.consentList : null;
}
