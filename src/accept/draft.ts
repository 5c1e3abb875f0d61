// What a caller wants to send, after the wire format was read and before anything was checked.
import type { RecipientType } from '../consent/record.ts';
import type { Mode } from '../text/prepare.ts';

/** Members that nothing checks or changes on the way to their columns. */
export type StoredAsGiven = {
  source: string;
  /** JSON for orders.smpp: which receipts are sent to which SMPP user. */
  smpp?: string;
};

export type OrderDraft = StoredAsGiven & {
  sender: unknown;
  /** One entry per text, each with its own recipients as given. */
  texts: { text: string; recipients: readonly unknown[] }[];
  /** An entry with commas or semicolons is several recipients. */
  severalPerEntry?: boolean;
  /** Default: the mode of the account. */
  mode?: Mode | undefined;
  /** Null: now; 'malformed': the given time cannot be read. */
  sendAt: Date | null | 'malformed';
  /** Whether consent is checked (a commercial message); 'unclear': the given value cannot be read. */
  consentCheck: boolean | 'unclear';
  consentList: RecipientType | null;
  /** Orders that differ in this are no duplicates, even with equal sender, texts and recipients. */
  distinct?: string;
  /** Replaces the computed fingerprint and turns the duplicate rule off for this order. */
  fingerprint?: bigint;
};

export type IdempotencyKey = { key: string; bodyDigest: Buffer };
