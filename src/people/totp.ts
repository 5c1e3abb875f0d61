// Time-based one-time codes (RFC 6238: SHA-1, 30 seconds, six digits), as authenticator apps make them.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const stepMs = 30_000;
// One step before and after, because the clocks of phones differ.
const driftSteps = 1;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** 160 bits in base 32. */
export function newTotpSecret(): string {
  return toBase32(randomBytes(20));
}

export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const value = mac.readUInt32BE(mac[19]! & 15) & 0x7fffffff;
  return String(value % 1_000_000).padStart(6, '0');
}

export function totpStep(timeMs: number): number {
  return Math.floor(timeMs / stepMs);
}

/** The step of this code, later than `usedStep`; null if the code is wrong. */
export function matchTotp(secret: string, code: string, timeMs: number, usedStep: number): number | null {
  const given = Buffer.from(code.replace(/\s/g, ''));
  const current = totpStep(timeMs);
  for (let step = current - driftSteps; step <= current + driftSteps; step++) {
    const right = Buffer.from(totpCode(secret, step));
    if (step > usedStep && given.length === right.length && timingSafeEqual(given, right)) return step;
  }
  return null;
}

export function totpUri(secret: string, email: string, issuer: string): string {
  const label = encodeURIComponent(`${issuer}:${email}`);
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}&digits=6&period=30`;
}

function toBase32(bytes: Buffer): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  return (bits.match(/.{5}/g) ?? []).map(five => alphabet[Number.parseInt(five, 2)]).join('');
}

function fromBase32(text: string): Buffer {
  let bits = '';
  for (const letter of text) bits += alphabet.indexOf(letter).toString(2).padStart(5, '0');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map(eight => Number.parseInt(eight, 2)));
}
