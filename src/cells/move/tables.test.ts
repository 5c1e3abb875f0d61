// The list of tables that move with an account is compared with the schema, so that a new table cannot be forgotten.
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database/database.ts';
import { numbered } from './numbers.ts';
import { generated } from './rows.ts';
import { query } from './side.ts';
import { appendedTables, namedTables, orderTables, parcelTables, stayingTables } from './tables.ts';

const database = await testDatabase();
afterAll(() => database.close());

test('every table of an account moves with it, or says why it stays', async () => {
  const found = await query<{ name: string }>(
    database.pool,
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
       and (a.attname in ('account_id', 'of_account', 'viewing_account_id')
         -- These tables have the id of the user, not of the account.
         or c.relname like 'smpp%' and a.attname in ('user_id', 'group_id')) group by 1 order by 1`,
  );
  const known = [
    ...[...namedTables, ...parcelTables, ...appendedTables].map(one => one.name),
    ...orderTables,
    ...Object.keys(stayingTables),
  ];
  expect(new Set(known).size, 'listed twice').toBe(known.length);
  expect(found.map(one => one.name).filter(name => !known.includes(name))).toEqual([]);
});

test('ids within an account continue in the new cell, and generated columns are not copied', async () => {
  const moved = [...namedTables, ...parcelTables, ...appendedTables].map(one => one.name);
  const found = await query<{ name: string; sequence: string }>(
    database.pool,
    `select t.relname as name, pg_get_serial_sequence(t.relname, a.attname) as sequence
     from pg_class t join pg_attribute a on a.attrelid = t.oid and a.attidentity <> ''
     join pg_constraint k on k.conrelid = t.oid and k.contype = 'p' and a.attnum = any (k.conkey) and cardinality(k.conkey) > 1
     where t.relname = any ($1) and t.relnamespace = 'public'::regnamespace order by 1`,
    // Pending receipts of a user have only the user's id.
    [moved.filter(name => name !== 'smpp_users')],
  );
  expect(found.map(one => one.name)).toEqual([...numbered].sort());
  expect(found.map(one => one.sequence)).toEqual(found.map(one => `public.${one.name}_id_seq`));
  const columns = await query<{ name: string }>(
    database.pool,
    `select distinct a.attname as name from pg_attribute a join pg_class t on t.oid = a.attrelid
     where a.attgenerated <> '' and t.relnamespace = 'public'::regnamespace and t.relname = any ($1) order by 1`,
    [[...moved, ...orderTables]],
  );
  expect(columns.map(one => one.name)).toEqual([...generated].sort());
});
