// A forgotten password: a code by SMS to the user's own mobile number. A request for an unknown address does the same work
// and is counted alike, so nothing tells the two apart.

import { recordPersonAuditEntry } from '../accounts/audit-log.ts';
import { type Db, transaction } from '../db/db.ts';
import type { SecretKey } from '../secrets.ts';
import { countAttempt } from './attempts.ts';
import { Denial } from './denial.ts';
import { hashPassword, requireGoodPassword } from './passwords.ts';
import { closeOtherSessions } from './sessions.ts';
import { type CodeMessage, issueCode, tryCode, useCode } from './sms-codes.ts';
import { findUserByEmail, storePassword } from './users.ts';

const hourMs = 3_600_000;
const perEmailHourMax = 3;
const perAddressHourMax = 60;

/** The code to send and where to; null when there is nobody to send it to. */
export async function beginReset(
  db: Db,
  key: SecretKey,
  given: string,
  address: string,
): Promise<(CodeMessage & { userId: number }) | null> {
  const email = given.trim().toLowerCase().slice(0, 200);
  const pauseMs = await countAttempt(db, [
    { name: `reset email ${email}`, most: perEmailHourMax, windowMs: hourMs },
    { name: `reset address ${address}`, most: perAddressHourMax, windowMs: hourMs },
  ]);
  if (pauseMs > 0) throw new Denial('slow-down', 'email', pauseMs);
  const user = await findUserByEmail(db, email);
  const isFor = user?.mobile ? user : null;
  const code = await issueCode(db, key, 'reset', email, { userId: isFor?.id ?? null, isForNobody: isFor === null });
  return isFor && { purpose: 'reset', userId: isFor.id, mobile: isFor.mobile!, code, language: isFor.language };
}

export async function finishReset(
  db: Db,
  key: SecretKey,
  given: { email: string; code: string; password: string },
  address: string,
): Promise<void> {
  const email = given.email.trim().toLowerCase().slice(0, 200);
  requireGoodPassword(given.password, email);
  const found = await tryCode(db, key, 'reset', email, given.code);
  if (!found?.userId) throw new Denial('wrong-code', 'code');
  const { id, userId } = found;
  const passwordHash = await hashPassword(given.password);
  await transaction(db, async tx => {
    if (!(await useCode(tx, id))) throw new Denial('wrong-code', 'code');
    await storePassword(tx, userId, passwordHash);
    await closeOtherSessions(tx, userId, 0);
    await recordPersonAuditEntry(tx, userId, { action: 'password.reset', address });
  });
}
