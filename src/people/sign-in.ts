// Signing in, step by step: rate limit, password, second factor, an account whose address list admits the caller. A
// further proof (an e-signature) would be one more step here and nowhere else.

import { addressAllowed } from '../accounts/address.ts';
import type { Db } from '../db/db.ts';
import type { SecretKey } from '../sealing/secrets.ts';
import { forget } from './attempts.ts';
import { Denial } from './denial.ts';
import { type Membership, membershipsOf } from './memberships.ts';
import { passwordMatches } from './passwords.ts';
import { passesSecondFactor } from './second-factor.ts';
import { openSession, type Visitor } from './sessions.ts';
import { beginSecondFactor, beginSignIn, forgiveSignIn, suspendSignIn } from './sign-in-attempts.ts';
import { findUserByEmail, type User } from './users.ts';

type SignIn = { email: string; password: string; code?: string };

export async function signIn(
  db: Db,
  key: SecretKey,
  given: SignIn,
  visitor: Visitor,
): Promise<{ token: string; user: User; accountId: number | null }> {
  const user = await requireUser(db, key, given, visitor.address);
  const accountId = chooseAccount(await membershipsOf(db, user.id), user.staff, visitor.address);
  return { token: await openSession(db, user.id, accountId, visitor), user, accountId };
}

/** Also used where a known user accepts an invitation. */
export async function requireUser(db: Db, key: SecretKey, given: SignIn, address: string): Promise<User> {
  const email = given.email.trim().toLowerCase().slice(0, 200);
  const attempt = await beginSignIn(db, email, address);
  const user = await findUserByEmail(db, email);
  if (!(await passwordMatches(user?.passwordHash, given.password, address)))
    throw new Denial('wrong-credentials', 'password');
  if (user!.totpSecret) {
    if (!given.code?.trim()) {
      await suspendSignIn(db, attempt);
      throw new Denial('totp-required', 'code');
    }
    const codes = await beginSecondFactor(db, email, address);
    if (!(await passesSecondFactor(db, key, user!, given.code))) throw new Denial('wrong-code', 'code');
    await forget(db, codes);
  }
  await forgiveSignIn(db, attempt, user!.id);
  return user!;
}

/** The first account that admits this address. Staff need none. */
function chooseAccount(memberships: Membership[], staff: boolean, address: string): number | null {
  const open = memberships.find(one => addressAllowed(one.panelIps, address));
  if (open) return open.accountId;
  if (memberships.length > 0 && !staff) throw new Denial('address-not-listed');
  return null;
}
