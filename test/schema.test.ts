// migrations/schema.sql is what the migrations really make. After a new migration: `node scripts/dump-schema.mjs`.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Db } from '../src/db/db.ts';
import { migrate } from '../src/db/migrate.ts';
import { migrationFiles } from '../src/db/migration-files.ts';
import { stopsAll } from '../src/db/stop-all.ts';
import { silentLog } from '../src/log.ts';
import { sha256 } from '../src/sealing/digest.ts';
import { testDatabase } from './support/database/database.ts';
import { builtRelease, isInHistory, lastBeforeStop } from './support/program/previous-release.ts';

const database = await testDatabase();
afterAll(() => database.close());

// Plain JavaScript, so that it runs without a build; hence the words about its shape here.
const script = new URL('../scripts/dump-schema.mjs', import.meta.url).href;
const { dumpSchema } = (await import(script)) as { dumpSchema(db: Db): Promise<string> };

test('migrations/schema.sql is what the migrations make', async () => {
  const stored = readFileSync(new URL('../migrations/schema.sql', import.meta.url), 'utf8');
  expect(await dumpSchema(database.pool)).toBe(stored);
});

/** The order in which indexes were created: the planner prefers the newest of equal ones. Rows: those that migrations insert. */
async function beyondTheDump(db: Db): Promise<object> {
  const { rows: indexes } =
    await db.query(`select indrelid::regclass::text as name, array_agg(indexrelid::regclass::text order by indexrelid)
    from pg_index i join pg_class c on c.oid = i.indrelid where c.relnamespace = 'public'::regnamespace group by 1 order by 1`);
  const { rows: names } = await db.query<{ name: string }>(`select relname as name from pg_class where relkind = 'r'
    and relnamespace = 'public'::regnamespace and relname not in ('schema_migrations', 'schema_functions') order by 1`);
  const inserted: Record<string, object[]> = {};
  for (const { name } of names) {
    const { rows } = await db.query(
      `select to_jsonb(t) - '{at,through,seen_at,valid_from,published_at}'::text[] as row from ${name} t order by 1`,
    );
    if (rows.length > 0) inserted[name] = rows;
  }
  return { indexes, inserted };
}

test.skipIf(!isInHistory(lastBeforeStop))('an upgraded database of 0.2.0 has the schema of a new one', async () => {
  const old = await testDatabase({ empty: true });
  try {
    const folder = builtRelease(lastBeforeStop);
    const scripts = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const run = async (path: string) => {
      const text = readFileSync(join(folder, path), 'utf8');
      await old.pool.query(text);
      return sha256(text).toString('hex');
    };
    const records =
      'name text primary key, checksum text not null, applied_at timestamptz not null default now(), version text';
    await old.pool.query(`create table schema_migrations (${records}, needs text)`);
    await old.pool.query(`create table schema_functions (${records}, build bigint)`);
    for (const path of scripts.filter(one => /^migrations\/\d{4}_/.test(one)).sort())
      await old.pool.query(
        "insert into schema_migrations (name, checksum, version, needs) values ($1, $2, '0.2.0', '0.2.0')",
        [path.slice(11), await run(path)],
      );
    for (const path of scripts.filter(one => /^src\/.*\/sql\/\w+\.sql$/.test(one)).sort())
      await old.pool.query("insert into schema_functions (name, checksum, version) values ($1, $2, '0.2.0')", [
        path.replace(/.*\/|\.sql/g, ''),
        await run(path),
      ]);
    await migrate(old.connection, silentLog);
    expect(await dumpSchema(old.pool)).toBe(await dumpSchema(database.pool));
    expect(await beyondTheDump(old.pool)).toEqual(await beyondTheDump(database.pool));
    const names = 'select name from schema_migrations order by 1';
    expect((await old.pool.query(names)).rows).toEqual((await database.pool.query(names)).rows);
  } finally {
    await old.close();
  }
});

/** Each type and its members, as functions get them. */
async function compositeTypes(db: Db): Promise<Record<string, string>> {
  const { rows } = await db.query<{ name: string; members: string }>(`
    select c.relname as name, string_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod), ', ' order by a.attnum) as members
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind = 'c' and c.relnamespace = 'public'::regnamespace group by 1 order by 1`);
  return Object.fromEntries(rows.map(row => [row.name, row.members]));
}

test('a composite type of a release never changes while its nodes may run, because they fill it by position', async () => {
  const empty = await testDatabase({ empty: true });
  try {
    const landed = readFileSync(new URL('../migrations/landed.txt', import.meta.url), 'utf8');
    let released: Record<string, string> = {};
    const changed = async () => {
      const found = await compositeTypes(empty.pool);
      return Object.keys(released).filter(name => found[name] !== released[name]);
    };
    for (const file of migrationFiles()) {
      await empty.pool.query(file.text);
      if (landed.includes(`  ${file.name}\n`) || stopsAll(file)) released = await compositeTypes(empty.pool);
      expect.soft({ migration: file.name, changed: await changed() }).toEqual({ migration: file.name, changed: [] });
    }
    expect(Object.keys(released)).toContain('new_orders');
    await empty.pool.query('alter type new_orders add attribute more text[]; drop type new_texts cascade');
    expect(await changed()).toEqual(['new_orders', 'new_texts']);
  } finally {
    await empty.close();
  }
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

test('every table without a primary key has a replica identity: a cluster refuses to move a schema with one that has none', async () => {
  const { rows } = await database.pool.query(`select c.relname as name from pg_class c
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relreplident = 'd'
      and not exists (select 1 from pg_index i where i.indrelid = c.oid and i.indisprimary)`);
  expect(rows).toEqual([]);
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
      // What the index cannot answer stands in a filter. See the key of orders in 0174_baseline.sql.
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
