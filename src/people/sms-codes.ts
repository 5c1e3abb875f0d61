// Six digits by SMS, valid for ten minutes, for five attempts, once, and only in the browser that requested them. Of
// the codes of one browser only the newest is valid, so somebody without the browser's cookie can neither use a code up
// nor replace it. Beyond the limit of a phone, the phone gets one code of eight digits in ten minutes, which is valid in every
// browser that requests one. So strangers can neither flood the phone nor keep its owner from a code.
import { createHash, createHmac, randomBytes, randomInt } from 'node:crypto';
import { type Queryable, row, run, sql } from '../db/db.ts';
import type { SecretKey } from '../sealing/secrets.ts';
import { now } from '../time/clock.ts';
import { countAttempt, type Limit } from './attempts.ts';

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

/** `to`: whose code it is, the same for all requests. `most`: the limit of separate codes; null means none. */
type Asked = {
  purpose: Purpose;
  subject: string;
  to: string | number;
  asker: string;
  userId?: number | null;
  isForNobody?: boolean;
  most: Limit | null;
};

/** The code to send; null if the last shared code is valid here too. With `isForNobody` the same steps are taken, but no code will ever match. */
export async function issueCode(db: Queryable, key: SecretKey, asked: Asked): Promise<string | null> {
  const { purpose, subject, to, asker, userId = null, isForNobody = false, most } = asked;
  const time = now();
  const isCrowded = most !== null && (await countAttempt(db, [most])) > 0;
  const slot = slotOf(time);
  const code = isCrowded ? sharedCode(key, purpose, to, slot) : String(randomInt(1_000_000)).padStart(6, '0');
  const codeDigest = digest(key, purpose, subject, code);
  const times = [time, new Date(time.getTime() + lifeMs)];
  await run(db, insertSql, [purpose, subject, userId, isForNobody ? null : codeDigest, ...times, askerDigest(asker)]);
  const isSent =
    isCrowded && (await countAttempt(db, [{ name: `slot ${purpose} ${to} ${slot}`, most: 1, windowMs: lifeMs }])) > 0;
  return isSent ? null : code;
}

function slotOf(time: Date): number {
  return Math.floor(time.getTime() / lifeMs);
}

/** Eight digits, because everybody who requests it may guess it. */
function sharedCode(key: SecretKey, purpose: Purpose, to: string | number, slot: number): string {
  const octets = createHmac('sha256', key).update(`shared code\n${purpose} ${to} ${slot}`).digest();
  return String(octets.readUIntBE(0, 6) % 100_000_000).padStart(8, '0');
}

// Each check is an attempt, counted before the comparison.
const trySql = sql<{ id: number; userId: number | null; codeDigest: Buffer | null }>('code try')`
  update sms_codes set tries = tries + 1
  where id = (select id from sms_codes where purpose = $1 and subject = $2 and asker_digest = $5 order by id desc limit 1)
    and used_at is null and expires_at > $3 and tries < $4
  returning id, user_id as "userId", code_digest as "codeDigest"`;

/** The code's row if it matches, otherwise null. A shared code that was sent since the request matches too. */
export async function tryCode(
  db: Queryable,
  key: SecretKey,
  { purpose, subject, to, asker }: Pick<Asked, 'purpose' | 'subject' | 'to' | 'asker'>,
  given: string,
): Promise<{ id: number; userId: number | null } | null> {
  const time = now();
  const found = await row(db, trySql, [purpose, subject, time, triesMax, askerDigest(asker)]);
  if (!found?.codeDigest) return null;
  const code = given.replace(/\s/g, '');
  const isShared = code === sharedCode(key, purpose, to, slotOf(time));
  const isRight = found.codeDigest.equals(digest(key, purpose, subject, code)) || isShared;
  return isRight ? { id: found.id, userId: found.userId } : null;
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
