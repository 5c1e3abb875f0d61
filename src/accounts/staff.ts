// People of the operator's staff. Passwords are stored as argon2id only.
import { randomBytes } from 'node:crypto';
import { type Db, row, sql, type Tx, transaction } from '../db/db.ts';
import { hashPassword } from './passwords.ts';
import { closeOtherSessions } from './sessions.ts';

// A customer's row is left alone: with it staff would inherit the customer's sessions, phone and second factor.
const createSql = sql<{ id: number }>('staff create')`
  insert into users as u (email, password_hash, staff, password_changed_at) values ($1, $2, true, now())
  on conflict (email) do update set password_hash = excluded.password_hash, password_changed_at = now()
  where u.staff returning id`;
const anySql = sql<{ id: number }>('staff any')`select id from users where staff limit 1`;
const oneAtATime = sql<{ ok: string }>('staff first lock')`select pg_advisory_xact_lock(7030004)::text as ok`;

/** A new member of staff, or a new password for one, whose sessions end with it; false when a customer has the address. */
export async function createStaff(tx: Tx, email: string, passwordHash: string): Promise<boolean> {
  const made = await row(tx, createSql, [email, passwordHash]);
  if (made) await closeOtherSessions(tx, made.id, 0);
  return made !== undefined;
}

const firstEmail = 'staff@peyk.local';

/** The first staff user of an installation, with a random password that is known only now; null when there is one. */
export async function ensureFirstStaff(db: Db): Promise<{ email: string; password: string } | null> {
  if (await row(db, anySql)) return null;
  const password = randomBytes(12).toString('base64url');
  const passwordHash = await hashPassword(password);
  return transaction(db, async tx => {
    await row(tx, oneAtATime);
    if (await row(tx, anySql)) return null;
    await createStaff(tx, firstEmail, passwordHash);
    return { email: firstEmail, password };
  });
}
