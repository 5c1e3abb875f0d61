// People of the operator's staff. Their passwords are hashed by the caller (argon2id) and never stored otherwise.
import { type Queryable, run, sql } from '../db/db.ts';

const createSql = sql('staff create')`
  insert into users (email, password_hash, staff) values ($1, $2, true)
  on conflict (email) do update set password_hash = excluded.password_hash, staff = true`;

export async function createStaff(db: Queryable, email: string, passwordHash: string): Promise<void> {
  await run(db, createSql, [email, passwordHash]);
}
