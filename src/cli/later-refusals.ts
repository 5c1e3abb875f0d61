// Who refused after the moment that a restore goes back to must not be written to again because of it: blacklist entries, and refusals that
// were told to us alone, are read from the newest data of the backups and entered again.
import { enterAgain as enterEntries, entriesSince, type LaterEntry } from '../blacklist/later-entries.ts';
import { enterAgain as enterConsents, type LaterRefusal, refusalsSince } from '../consent/later-refusals.ts';
import { type Db, transaction } from '../db/db.ts';

export type LaterRefusals = { entries: LaterEntry[]; refusals: LaterRefusal[] };

export async function laterRefusals(db: Db, moment: Date): Promise<LaterRefusals> {
  return { entries: await entriesSince(db, moment), refusals: await refusalsSince(db, moment) };
}

/** How many were entered. */
export function enterRefusals(db: Db, { entries, refusals }: LaterRefusals): Promise<number> {
  return transaction(db, async tx => (await enterEntries(tx, entries)) + (await enterConsents(tx, refusals)));
}
