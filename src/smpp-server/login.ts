// The login of an SMPP user: a generated system_id and a password of eight characters, the most that the protocol allows. Eight
// random characters of 57 are 46 bits, which somebody who has a digest could try out. So the digest is an HMAC under the server's
// key, which is not in the database, and guessing online is banned (bans.ts).
import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import type { SecretKey } from '../sealing/secrets.ts';

const letters = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const systemIdLetters = 'abcdefghjkmnpqrstuvwxyz23456789';
const passwordLength = 8;
const systemIdLength = 8;

export const systemIdForm = /^[A-Za-z0-9_.-]{1,15}$/;

export function newPassword(): string {
  return randomText(letters, passwordLength);
}

export function newSystemId(): string {
  return `px${randomText(systemIdLetters, systemIdLength)}`;
}

function randomText(alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}

export function digestOf(key: SecretKey, systemId: string, password: string): Buffer {
  return createHmac('sha256', key).update(`smpp\n${systemId}\n${password}`).digest();
}

type StoredLogin = { digest: Buffer; oldDigest: Buffer | null; oldUntil: Date | null };

/** Accepts the password, or the previous one while it is still valid. */
export function passwordFits(stored: StoredLogin, given: Buffer, now: Date): boolean {
  if (timingSafeEqual(stored.digest, given)) return true;
  const { oldDigest, oldUntil } = stored;
  return oldDigest !== null && oldUntil !== null && oldUntil > now && timingSafeEqual(oldDigest, given);
}
