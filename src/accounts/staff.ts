// People of the operator's staff. Passwords are stored as argon2id only.
import { row, sql, type Tx } from '../db/db.ts';
import { closeOtherSessions } from './sessions.ts';

// A customer's row is left alone: with it staff would inherit the customer's sessions, phone and second factor.
const createSql = sql<{ id: number }>('staff create')`
  insert into users as u (email, password_hash, staff, password_changed_at) values ($1, $2, true, now())
  on conflict (email) do update set password_hash = excluded.password_hash, password_changed_at = now()
  where u.staff returning id`;

/** A new member of staff, or a new password for one, whose sessions end with it; false when a customer has the address. */
export async function createStaff(tx: Tx, email: string, passwordHash: string): Promise<boolean> {
  const made = await row(tx, createSql, [email, passwordHash]);
  if (made) await closeOtherSessions(tx, made.id, 0);
  return made !== undefined;
}
