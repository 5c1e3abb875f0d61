// A restore must not lose refusals: blacklist entries and consent refusals recorded after the restore point are read
// from the newest data of the backups and stored again.
import { enterAgain as enterEntries, entriesSince, type LaterEntry } from '../blacklist/later-entries.ts';
import { enterAgain as enterConsents, type LaterRefusal, refusalsSince } from '../consent/later-refusals.ts';
import { type Db, type Tx, transaction } from '../db/db.ts';
import { statementLimits } from '../db/statement-limits.ts';

export type LaterRefusals = { entries: LaterEntry[]; refusals: LaterRefusal[] };

/**
 * A transaction that began before the restore point may have committed after it; entries that exist are not stored
 * twice.
 */
const marginMs = 3_600_000;

export function laterRefusals(db: Db, moment: Date): Promise<LaterRefusals> {
  const since = new Date(moment.getTime() - marginMs);
  const read = async (tx: Tx) => ({ entries: await entriesSince(tx, since), refusals: await refusalsSince(tx, since) });
  return transaction(db, read, statementLimits.audit);
}

/** Returns how many were stored. */
export function enterRefusals(db: Db, { entries, refusals }: LaterRefusals): Promise<number> {
  const enter = async (tx: Tx) => (await enterEntries(tx, entries)) + (await enterConsents(tx, refusals));
  return transaction(db, enter, statementLimits.audit);
}
