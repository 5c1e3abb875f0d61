// Forgotten passwords: a code by SMS to the user's own mobile number. A request for an unknown address takes the same
// steps and is counted in the same way, so that the two cannot be distinguished.

import { networkOf } from '../accounts/address.ts';
import { recordPersonAuditEntry } from '../accounts/audit-log.ts';
import { type Db, transaction } from '../db/db.ts';
import type { SecretKey } from '../sealing/secrets.ts';
import { countAttempt } from './attempts.ts';
import { Denial } from './denial.ts';
import { hashPassword, requireGoodPassword } from './passwords.ts';
import { closeOtherSessions, type Visitor } from './sessions.ts';
import { forgetSecondFactors, isKnownPlace } from './sign-in-attempts.ts';
import { type CodeMessage, issueCode, tryCode, useCode } from './sms-codes.ts';
import { findUserByEmail, storePassword } from './users.ts';

const hourMs = 3_600_000;
/** Per address of the caller, so that one caller cannot use up the codes of others. */
const perAskerHourMax = 3;
/** Separate codes for all addresses where the person has not signed in before; further requests share a code (sms-codes.ts). */
const perEmailHourMax = 6;
const perAddressHourMax = 60;

/** The code and where to send it; null if there is nobody to send it to, or the last code is valid here too. */
export async function beginReset(
  db: Db,
  key: SecretKey,
  given: string,
  { address, asker }: Required<Pick<Visitor, 'address' | 'asker'>>,
): Promise<(CodeMessage & { userId: number }) | null> {
  const email = given.trim().toLowerCase().slice(0, 200);
  const network = networkOf(address);
  const strangers = { name: `reset email ${email}`, most: perEmailHourMax, windowMs: hourMs };
  const pauseMs = await countAttempt(db, [
    { name: `reset pair ${email} ${network}`, most: perAskerHourMax, windowMs: hourMs },
    { name: `reset address ${network}`, most: perAddressHourMax, windowMs: hourMs },
  ]);
  if (pauseMs > 0) throw new Denial('slow-down', 'email', pauseMs);
  const user = await findUserByEmail(db, email);
  const isFor = user?.mobile ? user : null;
  const code = await issueCode(db, key, {
    ...{ purpose: 'reset', subject: email, to: email, asker },
    userId: isFor?.id ?? null,
    isForNobody: isFor === null,
    most: (await isKnownPlace(db, email, address)) ? null : strangers,
  });
  if (!isFor || code === null) return null;
  return { purpose: 'reset', userId: isFor.id, mobile: isFor.mobile!, code, language: isFor.language };
}

export async function finishReset(
  db: Db,
  key: SecretKey,
  given: { email: string; code: string; password: string },
  { address, asker }: Required<Pick<Visitor, 'address' | 'asker'>>,
): Promise<void> {
  const email = given.email.trim().toLowerCase().slice(0, 200);
  requireGoodPassword(given.password, email);
  const found = await tryCode(db, key, { purpose: 'reset', subject: email, to: email, asker }, given.code);
  if (!found?.userId) throw new Denial('wrong-code', 'code');
  const { id, userId } = found;
  const passwordHash = await hashPassword(given.password);
  await transaction(db, async tx => {
    if (!(await useCode(tx, id))) throw new Denial('wrong-code', 'code');
    await storePassword(tx, userId, passwordHash);
    await closeOtherSessions(tx, userId, 0);
    await forgetSecondFactors(tx, email);
    await recordPersonAuditEntry(tx, userId, { action: 'password.reset', address });
  });
}
