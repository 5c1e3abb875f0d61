// People who sign in to the panel, identified by e-mail address (always lower case).
import { type Queryable, row, run, runOf, sql } from '../db/db.ts';
import { formatNumber, parseNumber } from '../numbers/phone.ts';
import { Denial } from './denial.ts';

export type User = {
  id: number;
  email: string;
  name: string;
  mobile: number | null;
  language: 'tr' | 'en';
  staff: boolean;
  passwordHash: string;
  passwordChangedAt: Date | null;
  totpSecret: Buffer | null;
  totpPending: Buffer | null;
  totpStep: number;
};

const emailForm = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})+$/;
const nameLengthMax = 100;

const columns = `id, email, name, mobile, language, staff, password_hash as "passwordHash",
  password_changed_at as "passwordChangedAt", totp_secret as "totpSecret", totp_pending as "totpPending", totp_step as "totpStep"`;
const byEmailSql = { name: 'user by email', text: `select ${columns} from users where email = $1` };
const byIdSql = { name: 'user by id', text: `select ${columns} from users where id = $1` };

export async function findUserByEmail(db: Queryable, email: string): Promise<User | undefined> {
  return row<User>(db, byEmailSql, [email]);
}

export async function findUser(db: Queryable, id: number): Promise<User | undefined> {
  return row<User>(db, byIdSql, [id]);
}

const insertSql = sql<{ id: number }>('user insert')`
  insert into users (email, password_hash, name, mobile, language, password_changed_at) values ($1, $2, $3, $4, $5, now())
  on conflict (email) do nothing returning id`;

type NewUser = {
  email: string;
  passwordHash: string;
  name: string;
  mobile: number | null;
  language: 'tr' | 'en';
};

/** Refuses an address that is taken, also for concurrent calls. */
export async function createUser(db: Queryable, user: NewUser): Promise<number> {
  const made = await row(db, insertSql, [user.email, user.passwordHash, user.name, user.mobile, user.language]);
  if (!made) throw new Denial('email-taken', 'email');
  return made.id;
}

const profileSql = sql('user profile')`update users set name = $2, mobile = $3, language = $4 where id = $1`;

export async function changeProfile(
  db: Queryable,
  id: number,
  profile: { name: string; mobile: number | null; language: 'tr' | 'en' },
): Promise<void> {
  await run(db, profileSql, [id, profile.name, profile.mobile, profile.language]);
}

export const storePassword = runOf<[id: number, passwordHash: string]>('user password')`
  update users set password_hash = $2, password_changed_at = now() where id = $1`;

export function readEmail(given: string): string {
  const email = given.trim().toLowerCase();
  if (email.length > 200 || !emailForm.test(email)) throw new Denial('bad-email', 'email');
  return email;
}

/** A Turkish mobile number in any usual form; '' means none. */
export function readMobile(given: string): number | null {
  if (given.trim() === '') return null;
  const number = parseNumber(given, false);
  if (number === 0) throw new Denial('bad-mobile', 'mobile');
  return number;
}

export function readPersonName(given: string): string {
  const name = given.trim();
  if (name.length > nameLengthMax || /[\0-\x1f\x7f]/.test(name)) throw new Denial('bad-name', 'name');
  return name;
}

export function mobileText(mobile: number | null): string {
  return mobile === null ? '' : formatNumber(mobile);
}
