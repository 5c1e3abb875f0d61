// Sign-up in two steps: a code by SMS proves the mobile number; then account, welcome credit and owner are created, all
// or none. Until the number is proved nothing reveals whether the e-mail address is known.

import { networkOf } from '../accounts/address.ts';
import { recordAuditEntry } from '../accounts/audit-log.ts';
import { newCredentials } from '../accounts/credentials.ts';
import { openIn } from '../accounts/open.ts';
import { type Db, row, sql, type Tx, transaction } from '../db/db.ts';
import type { SecretKey } from '../sealing/secrets.ts';
import { now } from '../time/clock.ts';
import { countAttempt } from './attempts.ts';
import { Denial } from './denial.ts';
import { type Accepted, acceptTexts } from './legal-texts.ts';
import { addMember } from './memberships.ts';
import { hashPassword, requireGoodPassword } from './passwords.ts';
import { openSession, type Visitor } from './sessions.ts';
import { type CodeMessage, issueCode, tryCode, useCode } from './sms-codes.ts';
import { createUser, readEmail, readMobile, readPersonName } from './users.ts';

export type SignUp = {
  accountName: string;
  name: string;
  email: string;
  mobile: string;
  password: string;
  language: 'tr' | 'en';
};

type Asking = Visitor & { asker: string };

const hourMs = 3_600_000;
// Codes cost money, and nobody's phone must be flooded with them.
const perAskerHourMax = 3;
/** Separate codes; further requests share a code (sms-codes.ts). */
const perMobileHourMax = 6;
const perAddressHourMax = 60;

/** The code, for the number to be proved; null if the last code is valid here too. */
export async function beginSignUp(db: Db, key: SecretKey, given: SignUp, visitor: Asking): Promise<CodeMessage | null> {
  const { email, mobile } = read(given);
  const network = networkOf(visitor.address);
  const pauseMs = await countAttempt(db, [
    { name: `sign-up pair ${mobile} ${network}`, most: perAskerHourMax, windowMs: hourMs },
    { name: `sign-up address ${network}`, most: perAddressHourMax, windowMs: hourMs },
  ]);
  if (pauseMs > 0) throw new Denial('slow-down', 'mobile', pauseMs);
  const code = await issueCode(db, key, {
    ...{ purpose: 'sign-up', subject: subjectOf(email, mobile), to: mobile, asker: visitor.asker },
    most: { name: `sign-up mobile ${mobile}`, most: perMobileHourMax, windowMs: hourMs },
  });
  return code === null ? null : { purpose: 'sign-up', mobile, code, language: given.language };
}

/** An account that was opened in another database, without credit. */
export type Elsewhere = { id: number; welcome(): Promise<void> };

/** `openElsewhere`: returns null if the account belongs in the home. */
export async function signUp(
  db: Db,
  key: SecretKey,
  given: SignUp & { code: string; accepted: Accepted },
  visitor: Asking,
  openElsewhere: (name: string) => Promise<Elsewhere | null> = async () => null,
): Promise<{ token: string; userId: number; accountId: number }> {
  const { accountName, email, name, mobile } = read(given);
  const code = { purpose: 'sign-up', subject: subjectOf(email, mobile), to: mobile, asker: visitor.asker } as const;
  const proof = await tryCode(db, key, code, given.code);
  if (!proof) throw new Denial('wrong-code', 'code');
  const passwordHash = await hashPassword(given.password);
  // If the rest fails, the account has no people and nobody has its key.
  const elsewhere = await openElsewhere(accountName);
  let isWelcome = false;
  const made = await transaction(db, async tx => {
    if (!(await useCode(tx, proof.id))) throw new Denial('wrong-code', 'code');
    const userId = await createUser(tx, { email, passwordHash, name, mobile, language: given.language });
    const accountId = elsewhere?.id ?? (await openAtHome(tx, accountName, mobile));
    if (elsewhere) isWelcome = await isFirstOf(tx, mobile, accountId);
    await addMember(tx, accountId, userId, 'owner');
    await acceptTexts(tx, userId, given.accepted, { now: now(), address: visitor.address });
    await recordAuditEntry(tx, { accountId, actor: email, action: 'account.sign-up', address: visitor.address });
    return { token: await openSession(tx, userId, accountId, visitor), userId, accountId };
  });
  if (isWelcome) await elsewhere!.welcome();
  return made;
}

async function openAtHome(tx: Tx, accountName: string, mobile: number): Promise<number> {
  const isWelcome = (id: number) => isFirstOf(tx, mobile, id);
  return (await openIn(tx, accountName, newCredentials(), { isWelcome })).id;
}

function read(given: SignUp) {
  const accountName = given.accountName.trim();
  if (accountName === '' || accountName.length > 200) throw new Denial('bad-name', 'accountName');
  const email = readEmail(given.email);
  const name = readPersonName(given.name);
  const mobile = readMobile(given.mobile);
  if (mobile === null) throw new Denial('bad-mobile', 'mobile');
  requireGoodPassword(given.password, email);
  return { accountName, email, name, mobile };
}

const subjectOf = (email: string, mobile: number): string => `${email} ${mobile}`;

const welcomeSql = sql<{ mobile: number }>('sign-up welcome')`
  insert into welcome_credits (mobile, account_id) values ($1, $2) on conflict (mobile) do nothing returning mobile`;

/** The welcome credit has a value, so it is granted once per mobile number. */
async function isFirstOf(tx: Tx, mobile: number, accountId: number): Promise<boolean> {
  return (await row(tx, welcomeSql, [mobile, accountId])) !== undefined;
}
