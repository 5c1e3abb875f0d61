// The list of what moves with an account is compared with the schema, so that a new table cannot be forgotten.
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { query } from './side.ts';
import { carriedTables, movedTables, stayingTables } from './tables.ts';

const database = await testDatabase();
afterAll(() => database.close());

test('every table of an account moves with it, or says why it stays', async () => {
  const found = await query<{ name: string }>(
    database.pool,
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
       and (a.attname in ('account_id', 'of_account', 'viewing_account_id')
         -- Known by the user alone.
         or c.relname like 'smpp%' and a.attname in ('user_id', 'group_id')) group by 1 order by 1`,
  );
  const known = [...movedTables, ...carriedTables].map(one => one.name).concat(Object.keys(stayingTables));
  expect(new Set(known).size, 'listed twice').toBe(known.length);
  expect(found.map(one => one.name).filter(name => !known.includes(name))).toEqual([]);
});

test('changes of every published row can be told apart by account', async () => {
  const identities = await query<{ name: string; columns: string[] }>(
    database.pool,
    `select t.relname as name, array(
       select a.attname::text from pg_attribute a where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
         and (t.relreplident = 'f' or exists (select 1 from pg_index i
           where i.indrelid = t.oid and i.indisprimary and a.attnum = any (i.indkey)))) as columns
     from pg_class t where t.relname = any ($1) and t.relnamespace = 'public'::regnamespace`,
    [movedTables.map(one => one.name)],
  );
  const columns = new Map(identities.map(one => [one.name, one.columns]));
  expect(movedTables.filter(one => !columns.get(one.name)?.includes(one.column)).map(one => one.name)).toEqual([]);
});
