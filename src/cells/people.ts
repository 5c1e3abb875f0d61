// People belong to accounts at home. A cell has a copy of those of its accounts, without passwords and second factors: lists that say
// who sent something, and searches by a person's address, stay one statement. Nobody signs in by a copy.
import { type Db, type Queryable, rows, run, sql, transaction } from '../db/db.ts';

type Person = {
  id: number;
  email: string;
  name: string;
  mobile: number | null;
  language: string;
  role: string;
  since: Date;
};

const readSql = sql<Person>('people of account')`
  select u.id, u.email, u.name, u.mobile, u.language, m.role, m.created_at as since
  from memberships m join users u on u.id = m.user_id where m.account_id = $1 order by u.id`;
// An address that somebody else had when it was copied.
const freeSql = sql('people free addresses')`
  update users set email = id || '@address.invalid' where email = any ($1) and id <> all ($2::bigint[])`;
const usersSql = sql('people copy')`
  insert into users (id, email, password_hash, name, mobile, language) overriding system value
  select u.id, u.email, '', u.name, u.mobile, u.language
  from unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::text[]) u(id, email, name, mobile, language)
  on conflict (id) do update set email = excluded.email, name = excluded.name, mobile = excluded.mobile, language = excluded.language`;
const leftSql = sql('people left')`delete from memberships where account_id = $1 and user_id <> all ($2::bigint[])`;
// What of the notices somebody has seen is the cell's own.
const membersSql = sql('people members copy')`
  insert into memberships (account_id, user_id, role, created_at)
  select $1, u.id, u.role, u.since from unnest($2::bigint[], $3::text[], $4::timestamptz[]) u(id, role, since)
  on conflict (account_id, user_id) do update set role = excluded.role`;

export async function reflectPeople(homeDb: Queryable, cell: Db, accountId: number): Promise<void> {
  const people = await rows(homeDb, readSql, [accountId]);
  const ids = people.map(one => one.id);
  const emails = people.map(one => one.email);
  await transaction(cell, async tx => {
    await run(tx, freeSql, [emails, ids]);
    await run(tx, usersSql, [
      ids,
      emails,
      people.map(one => one.name),
      people.map(one => one.mobile),
      people.map(one => one.language),
    ]);
    await run(tx, leftSql, [accountId, ids]);
    await run(tx, membersSql, [accountId, ids, people.map(one => one.role), people.map(one => one.since)]);
  });
}
