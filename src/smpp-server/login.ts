// The login of an SMPP user: a system_id of ours and a password of eight characters, the most that the protocol allows. Eight
// random ones (57 letters and digits that nobody confuses) are 46 bits, few enough to be tried out by who has the digest; so
// the digest is an HMAC under the server's key, which is not in the database, and those who guess online are banned (bans.ts).
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

export type StoredLogin = { digest: Buffer; oldDigest: Buffer | null; oldUntil: Date | null };

/** The new password, or the one before it while both are good. */
export function passwordFits(stored: StoredLogin, given: Buffer, now: Date): boolean {
  if (timingSafeEqual(stored.digest, given)) return true;
  const { oldDigest, oldUntil } = stored;
  return oldDigest !== null && oldUntil !== null && oldUntil > now && timingSafeEqual(oldDigest, given);
}
