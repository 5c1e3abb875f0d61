// migrations/schema.sql is what the migrations really make. After a new migration: `node scripts/dump-schema.mjs`.
import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import type { Db } from '../src/db/db.ts';
import { testDatabase } from './support/database.ts';

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
  const exceptions = ['api_refusals', 'applications', 'credentials', 'documents', 'inbound_numbers', 'invites'];
  expect(rows.map(row => row.name).filter(name => !exceptions.includes(name))).toEqual([]);
});

test('every table has a primary key but the one that is written like a log', async () => {
  const { rows } = await database.pool.query(`
    select t.relname as name from pg_class t join pg_namespace n on n.oid = t.relnamespace
    where n.nspname = 'public' and t.relkind = 'r'
      and not exists (select 1 from pg_constraint k where k.conrelid = t.oid and k.contype = 'p') order by 1`);
  expect(rows.map(row => row.name)).toEqual(['submissions']);
});
