// A forgotten password: a six-digit code by SMS to the user's own mobile number, good for ten minutes and five tries.
// A request for an unknown address does the same work and is counted alike, so nothing tells the two apart.
import { createHmac, randomInt } from 'node:crypto';
import { now } from '../clock.ts';
import { type Db, row, run, sql, transaction } from '../db/db.ts';
import type { SecretKey } from '../secrets.ts';
import { recordDeed } from './audit-log.ts';
import { Denial } from './denial.ts';
import { hashPassword, requireGoodPassword } from './passwords.ts';
import { closeOtherSessions } from './sessions.ts';
import { findUserByEmail, storePassword } from './users.ts';

const codeLifeMs = 10 * 60_000;
const triesMax = 5;
const hourMs = 3_600_000;
const perEmailHourMax = 3;
const perAddressHourMax = 20;

const countsSql = sql<{ byEmail: number; byAddress: number }>('reset counts')`
  select (select count(*) from password_resets where email = $1 and created_at > $3) as "byEmail",
    (select count(*) from password_resets where address = $2 and created_at > $3) as "byAddress"`;
const insertSql = sql<{ id: number }>('reset insert')`
  insert into password_resets (user_id, email, address, code_digest, created_at, expires_at)
  values ($1, $2, $3, $4, $5, $6) returning id`;
const sweepSql = sql('reset sweep')`delete from password_resets where created_at < $1`;

/** The code to send and where to; null when there is nobody to send it to. */
export async function beginReset(
  db: Db,
  key: SecretKey,
  given: string,
  address: string,
): Promise<{ mobile: number; code: string; language: 'tr' | 'en' } | null> {
  const email = given.trim().toLowerCase().slice(0, 200);
  const time = now();
  const since = new Date(time.getTime() - hourMs);
  const counts = (await row(db, countsSql, [email, address, since]))!;
  if (counts.byEmail >= perEmailHourMax || counts.byAddress >= perAddressHourMax)
    throw new Denial('slow-down', 'email', hourMs);
  const user = await findUserByEmail(db, email);
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const isFor = user?.mobile ? user : null;
  const ends = new Date(time.getTime() + codeLifeMs);
  await run(db, sweepSql, [new Date(time.getTime() - 24 * hourMs)]);
  await row(db, insertSql, [isFor?.id ?? null, email, address, isFor && digest(key, email, code), time, ends]);
  return isFor && { mobile: isFor.mobile!, code, language: isFor.language };
}

// The newest code only; each look at it is a try, counted before the comparison.
const trySql = sql<{ id: number; userId: number | null; codeDigest: Buffer | null }>('reset try')`
  update password_resets set tries = tries + 1
  where id = (select id from password_resets where email = $1 order by id desc limit 1)
    and used_at is null and expires_at > $2 and tries < $3
  returning id, user_id as "userId", code_digest as "codeDigest"`;
const useSql = sql('reset use')`update password_resets set used_at = now() where id = $1 and used_at is null`;

export async function finishReset(
  db: Db,
  key: SecretKey,
  given: { email: string; code: string; password: string },
  address: string,
): Promise<void> {
  const email = given.email.trim().toLowerCase().slice(0, 200);
  requireGoodPassword(given.password, email);
  const found = await row(db, trySql, [email, now(), triesMax]);
  const right = digest(key, email, given.code.replace(/\s/g, ''));
  if (!found?.userId || !found.codeDigest?.equals(right)) throw new Denial('wrong-code', 'code');
  const { id, userId } = found;
  const passwordHash = await hashPassword(given.password);
  await transaction(db, async tx => {
    if ((await run(tx, useSql, [id])) === 0) throw new Denial('wrong-code', 'code');
    await storePassword(tx, userId, passwordHash);
    await closeOtherSessions(tx, userId, 0);
    await recordDeed(tx, { actor: email, action: 'password.reset', address });
  });
}

/** Keyed: six digits alone could be tried out by whoever reads the table. */
function digest(key: SecretKey, email: string, code: string): Buffer {
  return createHmac('sha256', key).update(`reset ${email} ${code}`).digest();
}
