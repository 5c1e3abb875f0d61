// Members of the operator's staff. Passwords are stored as argon2id only.
import { row, rows, rowsOf, run, sql, type Tx } from '../db/db.ts';
import { closeOtherSessions } from './sessions.ts';

// A customer's row is not reused: staff would inherit the customer's sessions, phone and second factor.
const createSql = sql<{ id: number }>('staff create')`
  insert into users as u (email, password_hash, staff, password_changed_at) values ($1, $2, true, now())
  on conflict (email) do update set password_hash = excluded.password_hash, password_changed_at = now()
  where u.staff returning id`;

/** Adds a member of staff, or sets a new password and ends all sessions; false if the address belongs to a customer. */
export async function createStaff(tx: Tx, email: string, passwordHash: string): Promise<boolean> {
  const made = await row(tx, createSql, [email, passwordHash]);
  if (made) await closeOtherSessions(tx, made.id, 0);
  return made !== undefined;
}

export type StaffLine = { email: string; name: string; secondFactor: boolean; createdAt: Date; seenAt: Date | null };

export const listStaff = rowsOf<StaffLine>('staff list')`
  select u.email, u.name, u.totp_secret is not null as "secondFactor", u.created_at as "createdAt",
    (select max(s.seen_at) from sessions s where s.user_id = u.id) as "seenAt"
  from users u where u.staff order by u.email`;

// Locks all of them, so that two concurrent removals cannot leave nobody.
const lockSql = sql<{ id: number; email: string }>('staff lock')`
  select id, email from users where staff order by id for update`;
const belongingsSql = sql('staff belongings')`
  with codes as (delete from recovery_codes where user_id = $1)
  delete from sessions where user_id = $1`;
const removeSql = sql('staff remove')`
  delete from users u where id = $1 and not exists (select 1 from memberships m where m.user_id = u.id)`;
// A person who is also a customer stays one.
const demoteSql = sql('staff demote')`update users set staff = false where id = $1`;

/** Ends their sessions at once. The last one cannot be removed: nobody could sign in to add another. */
export async function removeStaff(tx: Tx, email: string): Promise<'removed' | 'unknown' | 'last'> {
  const all = await rows(tx, lockSql);
  const one = all.find(user => user.email === email);
  if (!one) return 'unknown';
  if (all.length === 1) return 'last';
  await run(tx, belongingsSql, [one.id]);
  if ((await run(tx, removeSql, [one.id])) === 0) await run(tx, demoteSql, [one.id]);
  return 'removed';
}
