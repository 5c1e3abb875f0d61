// An order that passed the policy, as it goes to the database, and what comes of it.
import type { PreparedText } from '../text/prepare.ts';
import type { IdempotencyKey } from './draft.ts';
import type { Recipients } from './recipients.ts';

export type AcceptRequest = {
  accountId: number;
  sender: string;
  lane: 0 | 1;
  consentList: 'BIREYSEL' | 'TACIR' | null;
  source: string;
  submitAt: Date;
  sendAt: Date;
  scheduled: boolean;
  rate: number;
  /** What was judged is judged of the account with this stamp; 0: whatever it is by now. */
  stamp: number;
  texts: PreparedText[];
  recipients: Recipients;
  idempotency: IdempotencyKey | null;
  /** Whether the duplicate rule may refuse it. */
  repeatable: boolean;
  /** JSON for orders.smpp; null: it did not come over SMPP. */
  smpp: string | null;
};

export type AcceptAnswer = { code: number; orderId: number; replayed: boolean };
