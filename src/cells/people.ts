// People and their passwords are stored at home. A cell has copies of the people of its accounts, without passwords and
// second factors, for lists and searches. Nobody signs in with a copy.
import { type Queryable, row, run, sql } from '../db/db.ts';

const readSql = sql<{ people: string }>('people of account')`
  select coalesce(json_agg(p), '[]')::text as people from (
    select u.id, u.email, u.name, u.mobile, u.language, m.role, m.created_at
    from memberships m join users u on u.id = m.user_id where m.account_id = $1 order by u.id) p`;
// An address that belonged to another person when it was copied.
const freeSql = sql('people free addresses')`
  update users u set email = u.id || '@address.invalid' from json_populate_recordset(null::users, $1) p
  where u.email = p.email and not exists (select 1 from json_populate_recordset(null::users, $1) x where x.id = u.id)`;
const usersSql = sql('people copy')`
  insert into users (id, email, password_hash, name, mobile, language) overriding system value
  select p.id, p.email, '', p.name, p.mobile, p.language from json_populate_recordset(null::users, $1) p
  on conflict (id) do update set email = excluded.email, name = excluded.name, mobile = excluded.mobile, language = excluded.language`;
const leftSql = sql('people left')`
  delete from memberships where account_id = $2 and user_id not in (select p.id from json_populate_recordset(null::users, $1) p)`;
// Which notices a person has seen is stored only in the cell.
const membersSql = sql('people members copy')`
  insert into memberships (account_id, user_id, role, created_at)
  select $2, p.id, p.role, p.created_at from json_to_recordset($1) p(id bigint, role text, created_at timestamptz)
  on conflict (account_id, user_id) do update set role = excluded.role`;

/** `cell`: in a transaction. */
export async function reflectPeople(homeDb: Queryable, cell: Queryable, accountId: number): Promise<void> {
  const { people } = (await row(homeDb, readSql, [accountId]))!;
  await run(cell, freeSql, [people]);
  await run(cell, usersSql, [people]);
  await run(cell, leftSql, [people, accountId]);
  await run(cell, membersSql, [people, accountId]);
}
