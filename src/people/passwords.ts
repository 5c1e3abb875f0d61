// Passwords: argon2id, a few at a time, so that a flood of sign-ins cannot use every core and all memory (19 MB each).
import { hash, verify } from '@node-rs/argon2';
import { Denial } from './denial.ts';

const atOnceMax = 3;
const waitingMax = 60;
const lengthMin = 10;
const lengthMax = 200;

let running = 0;
const waiting: (() => void)[] = [];

export async function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password));
}

let hashOfNobody: Promise<string> | undefined;

/** An unknown user takes the same time: the password is compared with a dummy. */
export async function passwordMatches(stored: string | undefined, password: string): Promise<boolean> {
  const given = password.slice(0, lengthMax);
  if (stored !== undefined) return inTurn(() => verify(stored, given));
  hashOfNobody ??= hash('nobody has this password');
  const nobody = await hashOfNobody;
  await inTurn(() => verify(nobody, given));
  return false;
}

/** Requires length instead of special characters; refuses one repeated letter and the e-mail address itself. */
export function requireGoodPassword(password: string, email: string): void {
  const isPoor =
    password.length < lengthMin ||
    password.length > lengthMax ||
    new Set(password).size < 4 ||
    password.toLowerCase() === email ||
    password.toLowerCase() === email.split('@')[0];
  if (isPoor) throw new Denial('weak-password', 'password');
}

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= atOnceMax) {
    if (waiting.length >= waitingMax) throw new Denial('slow-down', undefined, 2_000);
    await new Promise<void>(resolve => waiting.push(resolve));
  } else running++;
  try {
    return await work();
  } finally {
    // The slot passes to the next in the queue instead of being released, so `running` never exceeds its limit.
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}
