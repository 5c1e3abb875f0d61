// What a caller wants sent, in our own words; the edge has already translated wire spellings, judged nothing.
import type { RecipientType } from '../consent/record.ts';
import type { Mode } from '../text/prepare.ts';

export type OrderDraft = {
  sender: unknown;
  /** One entry per text, each with its own recipients as given. */
  texts: { text: string; recipients: readonly unknown[] }[];
  /** An entry with commas or semicolons inside is several recipients. */
  severalPerEntry?: boolean;
  /** Chosen for this order; absent = the account's. */
  mode?: Mode | undefined;
  /** null = now; 'malformed' when a time was given that is none. */
  sendAt: Date | null | 'malformed';
  /** Whether consent is to be checked (a commercial message); 'unclear' when the caller's wish cannot be read. */
  consentCheck: boolean | 'unclear';
  consentList: RecipientType | null;
  source: string;
  /** Orders that differ in this repeat nothing, though sender, texts and recipients be the same. */
  distinct?: string;
  /** Given by who knows that the order repeats nothing: it is named so, and no duplicate of it is looked for. */
  fingerprint?: bigint;
  /** Of an order that came over SMPP: what is owed to whom, as JSON (orders.smpp). */
  smpp?: string;
};

export type IdempotencyKey = { key: string; bodyDigest: Buffer };
