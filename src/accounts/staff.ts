// People of the operator's staff. Passwords are stored as argon2id only.
import { randomBytes } from 'node:crypto';
import { type Db, type Queryable, row, run, sql, transaction } from '../db/db.ts';
import { hashPassword } from './passwords.ts';

const createSql = sql('staff create')`
  insert into users (email, password_hash, staff, password_changed_at) values ($1, $2, true, now())
  on conflict (email) do update set password_hash = excluded.password_hash, staff = true, password_changed_at = now()`;
const anySql = sql<{ id: number }>('staff any')`select id from users where staff limit 1`;
const oneAtATime = sql<{ ok: string }>('staff first lock')`select pg_advisory_xact_lock(7030004)::text as ok`;

export async function createStaff(db: Queryable, email: string, passwordHash: string): Promise<void> {
  await run(db, createSql, [email, passwordHash]);
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
