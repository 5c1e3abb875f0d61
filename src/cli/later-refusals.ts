// Who refused after the moment that a restore goes back to must not be written to again because of it: blacklist entries, and refusals that
// were recorded here alone, are read from the newest data of the backups and entered again.
import { enterAgain as enterEntries, entriesSince, type LaterEntry } from '../blacklist/later-entries.ts';
import { enterAgain as enterConsents, type LaterRefusal, refusalsSince } from '../consent/later-refusals.ts';
import { type Db, type Tx, transaction } from '../db/db.ts';
import { statementLimits } from '../db/statement-limits.ts';

export type LaterRefusals = { entries: LaterEntry[]; refusals: LaterRefusal[] };

/** What was begun before the moment may have been committed after it; what is there already is not entered twice. */
const marginMs = 3_600_000;

export function laterRefusals(db: Db, moment: Date): Promise<LaterRefusals> {
  const since = new Date(moment.getTime() - marginMs);
  const read = async (tx: Tx) => ({ entries: await entriesSince(tx, since), refusals: await refusalsSince(tx, since) });
  return transaction(db, read, statementLimits.audit);
}

/** How many were entered. */
export function enterRefusals(db: Db, { entries, refusals }: LaterRefusals): Promise<number> {
  const enter = async (tx: Tx) => (await enterEntries(tx, entries)) + (await enterConsents(tx, refusals));
  return transaction(db, enter, statementLimits.audit);
}
