// An order that passed the policy, as it goes to the database, and the answer.
import type { PreparedText } from '../text/prepare.ts';
import type { IdempotencyKey, StoredAsGiven } from './draft.ts';
import type { Recipients } from './recipients.ts';

export type AcceptRequest = {
  given: StoredAsGiven;
  accountId: number;
  sender: string;
  lane: 0 | 1;
  consentList: 'BIREYSEL' | 'TACIR' | null;
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
};

export type AcceptAnswer = { code: number; orderId: number; replayed: boolean };
