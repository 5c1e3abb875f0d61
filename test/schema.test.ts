// migrations/schema.sql is what the migrations really make. After a new migration: `node scripts/dump-schema.mjs`.
import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import type { Db } from '../src/db/db.ts';
import { testDatabase } from './support/database/database.ts';

const database = await testDatabase();
afterAll(() => database.close());

// Plain JavaScript, so that it runs without a build; hence the words about its shape here.
const script = new URL('../scripts/dump-schema.mjs', import.meta.url).href;
const { dumpSchema } = (await import(script)) as { dumpSchema(db: Db): Promise<string> };

test('migrations/schema.sql is what the migrations make', async () => {
  const stored = readFileSync(new URL('../migrations/schema.sql', import.meta.url), 'utf8');
  expect(await dumpSchema(database.pool)).toBe(stored);
});

test('there are no triggers, and every account-owned table carries account_id in its key', async () => {
  const { rows: triggers } = await database.pool.query('select tgname from pg_trigger where not tgisinternal');
  expect(triggers).toEqual([]);
  const { rows } = await database.pool.query(`
    select t.relname as name from pg_class t
    join pg_attribute a on a.attrelid = t.oid and a.attname = 'account_id' and a.attnotnull
    join pg_constraint k on k.conrelid = t.oid and k.contype = 'p'
    where t.relkind = 'r' and not a.attnum = any (k.conkey) order by 1`);
  // Looked up before the account is known, logs that nothing refers to, and the few rows that staff work through by id.
  const exceptions = [
    'api_calls',
    'api_refusals',
    'applications',
    'cell_names',
    'credentials',
    'documents',
    'inbound_numbers',
    'invites',
    'welcome_credits',
  ];
  expect(rows.map(row => row.name).filter(name => !exceptions.includes(name))).toEqual([]);
});

test('every table has a primary key but those that are written like a log', async () => {
  const { rows } = await database.pool.query(`
    select t.relname as name from pg_class t join pg_namespace n on n.oid = t.relnamespace
    where n.nspname = 'public' and t.relkind = 'r'
      and not exists (select 1 from pg_constraint k where k.conrelid = t.oid and k.contype = 'p') order by 1`);
  expect(rows.map(row => row.name)).toEqual(Array.from({ length: 12 }, (_, i) => `submits_${i}`).sort());
});

test('a row is looked up by an index of its whole key, even where the table was empty when that was planned', async () => {
  const { rows: keys } = await database.pool.query<{ name: string; columns: string[]; types: string }>(`
    select t.relname as name, array_agg(a.attname::text order by u.n) as columns,
      string_agg(format_type(a.atttypid, null), ', ' order by u.n) as types
    from pg_constraint k join pg_class t on t.oid = k.conrelid cross join lateral unnest(k.conkey) with ordinality u(column_no, n)
    join pg_attribute a on a.attrelid = t.oid and a.attnum = u.column_no
    where k.contype = 'p' and t.relnamespace = 'public'::regnamespace group by 1 order by 1`);
  expect(keys.length).toBeGreaterThan(40);
  const session = await database.pool.connect();
  try {
    await session.query('set plan_cache_mode = force_generic_plan; set enable_seqscan = off');
    for (const { name, columns, types } of keys) {
      const condition = columns.map((column, i) => `${column} = $${i + 1}`).join(' and ');
      await session.query(`prepare lookup (${types}) as select 1 from ${name} where ${condition}`);
      const { rows } = await session.query(
        `explain (format json) execute lookup (${columns.map(() => 'null').join()})`,
      );
      await session.query('deallocate lookup');
      const plan = rows[0]['QUERY PLAN'][0].Plan;
      // What the index cannot answer stands in a filter. See the key of orders in 0003_orders.sql.
      expect.soft({ name, filter: plan.Filter, index: typeof plan['Index Name'] }).toEqual({ name, index: 'string' });
    }
  } finally {
    session.release(true);
  }
});

test('a function that forbids the planner something is never compiled', async () => {
  // Up to PostgreSQL 17 a forbidden step that cannot be avoided counts as 10^10, far beyond what is thought worth compiling.
  const { rows } = await database.pool.query<{ name: string; settings: string[] }>(
    `select proname as name, proconfig as settings from pg_proc where pronamespace = 'public'::regnamespace
     and array_to_string(proconfig, ' ') like '%enable_%=off%' order by 1`,
  );
  expect(rows.map(row => row.name)).toContain('settle');
  for (const { name, settings } of rows) expect.soft(settings, name).toContain('jit=off');
});
