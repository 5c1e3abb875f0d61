// The first people of a new installation: the demo account with its owner, so that a newcomer can open the panel at
// once, and the first member of staff. Their secrets are known only when they are created, so they are stored (sealed)
// until a start has printed them: a start that fails half-way must not lose them.
import { randomBytes } from 'node:crypto';
import type { Credentials } from '../accounts/credentials.ts';
import { openIn } from '../accounts/open.ts';
import { type Db, row, run, runOf, sql, type Tx, transaction } from '../db/db.ts';
import { type SecretKey, seal, unseal } from '../sealing/secrets.ts';
import { addMember } from './memberships.ts';
import { hashPassword } from './passwords.ts';
import { createStaff } from './staff.ts';
import { createUser } from './users.ts';

type Login = { email: string; password: string };
type SmppLogin = { systemId: string; password: string };
/** People who were created and not printed yet. */
type FirstPeople = { demo?: Credentials; owner?: Login; smppUser?: SmppLogin; staff?: Login };
/** `demo`: credentials of the demo account; null: none is wanted. `smppUser`: also creates an SMPP user for it. */
export type FirstPeopleOptions = {
  demo: Credentials | null;
  smppUser?: (tx: Tx, accountId: number) => Promise<SmppLogin>;
  staff: boolean;
};

export const demoEmail = 'demo@peyk.local';
const staffEmail = 'staff@peyk.local';
// Obviously fictional; the simulator delivers to it.
const demoMobile = 905_550_000_000;

const oneAtATime = sql<{ ok: string }>(
  'first people lock',
)`select pg_advisory_xact_lock(7030003 # lock_salt())::text as ok`;
const anyAccount = sql<{ id: number }>('account any')`select id from accounts limit 1`;
const anyStaff = sql<{ id: number }>('staff any')`select id from users where staff limit 1`;
const unprintedSql = sql<{ value: string }>(
  'first people unprinted',
)`select value from installation where name = 'first-people'`;
const keepSql = sql('first people keep')`
  insert into installation (name, value) values ('first-people', $1)
  on conflict (name) do update set value = excluded.value, at = now()`;
/** A start has printed them: the stored secrets are deleted. */
export const firstPeoplePrinted = runOf('first people printed')`
  delete from installation where name = 'first-people'`;

/**
 * Creates the people that an empty installation lacks. Returns them, and those that an earlier start created without
 * printing them.
 */
export function ensureFirstPeople(db: Db, key: SecretKey, options: FirstPeopleOptions): Promise<FirstPeople> {
  return transaction(db, async tx => {
    await row(tx, oneAtATime);
    const people = await unprinted(tx, key);
    const made: FirstPeople = {
      ...(options.demo && !(await row(tx, anyAccount)) ? await openDemo(tx, options.demo, options.smppUser) : {}),
      ...(options.staff && !(await row(tx, anyStaff)) ? { staff: await makeStaff(tx) } : {}),
    };
    if (Object.keys(made).length === 0) return people;
    const all = { ...people, ...made };
    await run(tx, keepSql, [seal(key, JSON.stringify(all)).toString('base64')]);
    return all;
  });
}

async function unprinted(tx: Tx, key: SecretKey): Promise<FirstPeople> {
  const kept = await row(tx, unprintedSql);
  try {
    return kept ? (JSON.parse(unseal(key, Buffer.from(kept.value, 'base64'))) as FirstPeople) : {};
  } catch {
    // Sealed with a key that is gone: treated as if they had been printed.
    return {};
  }
}

async function openDemo(tx: Tx, demo: Credentials, smppUser: FirstPeopleOptions['smppUser']): Promise<FirstPeople> {
  const account = await openIn(tx, 'Demo', demo);
  const owner = { email: demoEmail, password: newPassword() };
  const passwordHash = await hashPassword(owner.password);
  const id = await createUser(tx, {
    email: owner.email,
    name: 'Demo',
    mobile: demoMobile,
    passwordHash,
    language: 'tr',
  });
  await addMember(tx, account.id, id, 'owner');
  return { demo, owner, ...(smppUser ? { smppUser: await smppUser(tx, account.id) } : {}) };
}

async function makeStaff(tx: Tx): Promise<Login> {
  const staff = { email: staffEmail, password: newPassword() };
  await createStaff(tx, staff.email, await hashPassword(staff.password));
  return staff;
}

function newPassword(): string {
  return randomBytes(12).toString('base64url');
}
