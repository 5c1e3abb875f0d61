// Six digits by SMS, valid for ten minutes, for five attempts, once, and only in the browser that requested them. Of
// the codes of one browser only the newest is valid, so somebody without the browser's cookie can neither use a code up
// nor replace it.
import { createHash, createHmac, randomBytes, randomInt } from 'node:crypto';
import { type Queryable, row, run, sql } from '../db/db.ts';
import type { SecretKey } from '../sealing/secrets.ts';
import { now } from '../time/clock.ts';

const lifeMs = 10 * 60_000;
const triesMax = 5;

type Purpose = 'reset' | 'sign-up';
/** The message to send and its recipient. */
export type CodeMessage = { purpose: Purpose; mobile: number; code: string; language: 'tr' | 'en' };

const insertSql = sql('code insert')`
  insert into sms_codes (purpose, subject, user_id, code_digest, created_at, expires_at, asker_digest) values ($1, $2, $3, $4, $5, $6, $7)`;

/** A random token by which a browser proves that it requested the code. */
export function newAsker(): string {
  return randomBytes(32).toString('base64url');
}

/** With `isForNobody` the same steps are taken, but no code will ever match. */
export async function issueCode(
  db: Queryable,
  key: SecretKey,
  purpose: Purpose,
  subject: string,
  asker: string,
  { userId = null, isForNobody = false }: { userId?: number | null; isForNobody?: boolean } = {},
): Promise<string> {
  const time = now().getTime();
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const codeDigest = digest(key, purpose, subject, code);
  const times = [new Date(time), new Date(time + lifeMs)];
  await run(db, insertSql, [purpose, subject, userId, isForNobody ? null : codeDigest, ...times, askerDigest(asker)]);
  return code;
}

// Each check is an attempt, counted before the comparison.
const trySql = sql<{ id: number; userId: number | null; codeDigest: Buffer | null }>('code try')`
  update sms_codes set tries = tries + 1
  where id = (select id from sms_codes where purpose = $1 and subject = $2 and asker_digest = $5 order by id desc limit 1)
    and used_at is null and expires_at > $3 and tries < $4
  returning id, user_id as "userId", code_digest as "codeDigest"`;

/** The code's row if it matches, otherwise null. */
export async function tryCode(
  db: Queryable,
  key: SecretKey,
  purpose: Purpose,
  subject: string,
  asker: string,
  given: string,
): Promise<{ id: number; userId: number | null } | null> {
  const found = await row(db, trySql, [purpose, subject, now(), triesMax, askerDigest(asker)]);
  const right = digest(key, purpose, subject, given.replace(/\s/g, ''));
  return found?.codeDigest?.equals(right) ? { id: found.id, userId: found.userId } : null;
}

const useSql = sql('code use')`update sms_codes set used_at = now() where id = $1 and used_at is null`;

/** Runs inside the transaction that the code permits; false if a concurrent request used the code first. */
export async function useCode(tx: Queryable, id: number): Promise<boolean> {
  return (await run(tx, useSql, [id])) > 0;
}

function askerDigest(asker: string): Buffer {
  return createHash('sha256').update(asker).digest();
}

/** A keyed digest: the six digits of an unkeyed one could be found by trying all of them. */
function digest(key: SecretKey, purpose: Purpose, subject: string, code: string): Buffer {
  return createHmac('sha256', key).update(`${purpose} ${subject} ${code}`).digest();
}
