// Failed sign-ins and resets in the audit log. All attempts on known people are recorded; sign-in-attempts.ts limits
// them. Attempts on unknown addresses are recorded up to an hourly limit, so that nobody can fill the log; the rest is
// counted in the metrics.

import { recordAuditEntry, recordPersonAuditEntry } from '../accounts/audit-log.ts';
import type { Db, Queryable } from '../db/db.ts';
import { entriesDroppedTotal } from '../metrics/metrics.ts';
import { countAttempt } from './attempts.ts';
import { Denial, type DenialCode } from './denial.ts';
import { findUserByEmail } from './users.ts';

const hourMs = 3_600_000;
const strangersPerAddressMax = 10;
const strangersMax = 500;
const nameLengthMax = 100;

/** Denials that mean somebody tried to get in; the others ask for something or slow down. */
const recorded = new Set<DenialCode>(['wrong-credentials', 'wrong-code', 'address-not-listed']);

export type RefusedEntry = { email: string; action: 'session.refused' | 'password.reset-refused'; address: string };

/** Resolves when the entry is stored, and never reveals whether the person is known. */
export async function recordRefusedEntry(db: Db, entry: RefusedEntry, error: unknown): Promise<void> {
  if (!(error instanceof Denial) || !recorded.has(error.code)) return;
  const email = entry.email.trim().toLowerCase().slice(0, 200);
  const { action, address } = entry;
  const detail = { cause: error.code };
  const user = await findUserByEmail(db, email);
  if (user) return recordPersonAuditEntry(db, user.id, { action, detail, address });
  if (await mayRecordStranger(db, address))
    await recordAuditEntry(db, { actor: email.slice(0, nameLengthMax), action, detail, address });
  else entriesDroppedTotal.inc({ log: 'strangers' });
}

async function mayRecordStranger(db: Queryable, address: string): Promise<boolean> {
  const pauseMs = await countAttempt(db, [
    { name: `strangers recorded ${address}`, most: strangersPerAddressMax, windowMs: hourMs },
    { name: 'strangers recorded', most: strangersMax, windowMs: hourMs },
  ]);
  return pauseMs === 0;
}
