// An order that passed the policy, as it goes to the database, and the answer.
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
  /** Null: now. */
  sendAt: Date | null;
  rate: number;
  /** Version of the account that was checked; 0: any. */
  stamp: number;
  texts: PreparedText[];
  recipients: Recipients;
  idempotency: IdempotencyKey | null;
  /** Whether the duplicate rule applies. */
  repeatable: boolean;
  /** JSON for orders.smpp; null if the order did not come over SMPP. */
  smpp: string | null;
};

export type AcceptAnswer = { code: number; orderId: number; replayed: boolean };
