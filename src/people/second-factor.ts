// The second factor: a TOTP secret (sealed) and ten recovery codes (digests only), each valid once.
import { createHash, randomBytes } from 'node:crypto';
import { type Db, type Queryable, row, run, sql, transaction } from '../db/db.ts';
import { type SecretKey, seal, unseal } from '../sealing/secrets.ts';
import { nowMs } from '../time/clock.ts';
import { Denial } from './denial.ts';
import { matchTotp, newTotpSecret, totpUri } from './totp.ts';
import type { User } from './users.ts';

const recoveryCodes = 10;
const issuer = 'Peyk';

const pendingSql = sql('totp pending')`update users set totp_pending = $2 where id = $1`;
const confirmSql = sql('totp confirm')`
  update users set totp_secret = totp_pending, totp_pending = null, totp_step = $2 where id = $1`;
const removeSql = sql('totp remove')`
  update users set totp_secret = null, totp_pending = null, totp_step = 0 where id = $1`;
const useStepSql = sql('totp use step')`update users set totp_step = $2 where id = $1 and totp_step < $2`;
const clearCodesSql = sql('recovery clear')`delete from recovery_codes where user_id = $1`;
const insertCodesSql = sql('recovery insert')`
  insert into recovery_codes (user_id, code_digest) select $1, digest from unnest($2::bytea[]) digest`;
const useCodeSql = sql('recovery use')`
  update recovery_codes set used_at = now() where user_id = $1 and code_digest = $2 and used_at is null`;
const leftSql = sql<{ left: number }>('recovery left')`
  select count(*) as left from recovery_codes where user_id = $1 and used_at is null`;

/** Returns a secret for the authenticator app; it takes effect with the first correct code. */
export async function beginTotp(db: Queryable, key: SecretKey, user: User): Promise<{ secret: string; uri: string }> {
  const secret = newTotpSecret();
  await run(db, pendingSql, [user.id, seal(key, secret)]);
  return { secret, uri: totpUri(secret, user.email, issuer) };
}

export async function confirmTotp(db: Db, key: SecretKey, user: User, code: string): Promise<string[]> {
  if (!user.totpPending) throw new Denial('no-pending-totp', 'code');
  const step = matchTotp(unseal(key, user.totpPending), code, nowMs(), 0);
  if (step === null) throw new Denial('wrong-code', 'code');
  return transaction(db, async tx => {
    await run(tx, confirmSql, [user.id, step]);
    return renewRecoveryCodes(tx, user.id);
  });
}

export function removeTotp(db: Db, userId: number): Promise<void> {
  return transaction(db, async tx => {
    await run(tx, removeSql, [userId]);
    await run(tx, clearCodesSql, [userId]);
  });
}

/** Replaces the old ones. */
export async function renewRecoveryCodes(tx: Queryable, userId: number): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodes }, () => randomBytes(5).toString('hex').replace(/^.{5}/, '$&-'));
  await run(tx, clearCodesSql, [userId]);
  await run(tx, insertCodesSql, [userId, codes.map(digest)]);
  return codes;
}

export async function recoveryCodesLeft(db: Queryable, userId: number): Promise<number> {
  return (await row(db, leftSql, [userId]))!.left;
}

/** Uses the code up: a TOTP step or a recovery code is valid once, also for concurrent requests. */
export async function passesSecondFactor(db: Queryable, key: SecretKey, user: User, code: string): Promise<boolean> {
  const step = matchTotp(unseal(key, user.totpSecret!), code, nowMs(), user.totpStep);
  if (step !== null) return (await run(db, useStepSql, [user.id, step])) > 0;
  return (await run(db, useCodeSql, [user.id, digest(code)])) > 0;
}

function digest(code: string): Buffer {
  const plain = code.toLowerCase().replace(/[^0-9a-f]/g, '');
  return createHash('sha256').update(plain).digest();
}
