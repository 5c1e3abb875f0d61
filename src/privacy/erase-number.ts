// Erases a person's number on request (KVKK) from everything that the registry of personal data lists, for every
// account. Entries of blacklists and consent registers stay: without them a refusal could not be honoured.
import type { Db } from '../db/db.ts';
import { erasers } from './registry.ts';

/**
 * `open`: messages in flight, which keep the number until they have ended. `elsewhere`: rows of drafts, files, parts,
 * webhooks, receipts.
 */
export type Erased = { messages: number; open: number; inbound: number; elsewhere: number };

export async function eraseNumber(db: Db, number: number): Promise<Erased> {
  const done: Erased = { messages: 0, open: 0, inbound: 0, elsewhere: 0 };
  for (const erase of erasers()) {
    const erased = await erase(db, number);
    if (typeof erased === 'number') done.elsewhere += erased;
    else for (const [what, count] of Object.entries(erased)) done[what as keyof Erased] += count;
  }
  return done;
}
