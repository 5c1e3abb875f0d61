// A new customer: account with its welcome credit, and its owner, all or none.
import { now } from '../clock.ts';
import { type Db, row, sql, transaction } from '../db/db.ts';
import { recordDeed } from './audit-log.ts';
import { newCredentials } from './credentials.ts';
import { Denial } from './denial.ts';
import { addMember } from './memberships.ts';
import { openIn } from './open.ts';
import { hashPassword, requireGoodPassword } from './passwords.ts';
import { openSession, type Visitor } from './sessions.ts';
import { createUser, readEmail, readMobile, readPersonName } from './users.ts';

export type SignUp = {
  accountName: string;
  name: string;
  email: string;
  mobile: string;
  password: string;
  language: 'tr' | 'en';
};

// Welcome credit is worth money: one address may not open accounts without end.
const perAddressHourMax = 60;
const hourMs = 3_600_000;

const countSql = sql<{ failures: number }>('sign-up count')`
  insert into sign_in_failures as f (name, failures, first_at, last_at) values ($1, 1, $2, $2)
  on conflict (name) do update set last_at = $2, failures = case when f.first_at > $3 then f.failures + 1 else 1 end,
    first_at = case when f.first_at > $3 then f.first_at else $2 end
  returning failures`;

export async function signUp(
  db: Db,
  given: SignUp,
  visitor: Visitor,
): Promise<{ token: string; userId: number; accountId: number }> {
  const accountName = given.accountName.trim();
  if (accountName === '' || accountName.length > 200) throw new Denial('bad-name', 'accountName');
  const email = readEmail(given.email);
  const name = readPersonName(given.name);
  const mobile = readMobile(given.mobile);
  if (mobile === null) throw new Denial('bad-mobile', 'mobile');
  requireGoodPassword(given.password, email);
  await slowDown(db, visitor.address);
  const passwordHash = await hashPassword(given.password);
  return transaction(db, async tx => {
    const userId = await createUser(tx, { email, passwordHash, name, mobile, language: given.language });
    const { id: accountId } = await openIn(tx, accountName, newCredentials());
    await addMember(tx, accountId, userId, 'owner');
    await recordDeed(tx, { accountId, actor: email, action: 'account.sign-up', address: visitor.address });
    return { token: await openSession(tx, userId, accountId, visitor), userId, accountId };
  });
}

async function slowDown(db: Db, address: string): Promise<void> {
  const time = now();
  const counted = await row(db, countSql, [`sign-up ${address}`, time, new Date(time.getTime() - hourMs)]);
  if (counted!.failures > perAddressHourMax) throw new Denial('slow-down', undefined, hourMs);
}
