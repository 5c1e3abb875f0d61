// A 200 is only worth what the database keeps. A server configured without durable commits is used, but with a warning that nobody can miss.
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../support/database/database.ts';
import { startProgram } from '../support/program/program.ts';

const database = await testDatabase();
afterAll(() => database.close());

const dangers = (log: string[]) =>
  log.map(line => JSON.parse(line) as { setting?: string; msg: string }).filter(line => line.msg.startsWith('DANGER'));

test('a start over a PostgreSQL with fsync, synchronous_commit or full_page_writes off warns loudly, for each of them', async () => {
  // The server of the tests has fsync and full_page_writes off, for speed.
  const { rows } = await database.pool.query(`select name, setting from pg_settings
    where name in ('fsync', 'full_page_writes', 'synchronous_commit') order by 1`);
  expect(rows.map(row => row.setting)).toEqual(['off', 'off', 'on']);
  await database.pool.query(`alter database ${database.connection.database} set synchronous_commit = off`);
  // By its defaults: over somebody's database it brings neither simulators nor a demo account, and says what to add.
  const program = await startProgram({
    env: { DATABASE_URL: database.url },
    without: ['PEYK_SIMULATORS', 'PEYK_DEMO_KEY', 'PEYK_DEMO_HASH'],
  });
  expect(Object.keys(program.ready).sort()).toEqual(['api', 'panel', 'pid']);
  expect((await database.pool.query('select 1 from accounts union all select 1 from users')).rowCount).toBe(0);
  for (const todo of ['staff create', 'carrier add']) expect(program.output.join('\n')).toContain(`peyk ${todo}`);
  expect(dangers(program.log).map(line => line.setting)).toEqual(['fsync', 'synchronous_commit', 'full_page_writes']);
  await program.remove();
});

test('a start over the database of its own has nothing to warn of', async () => {
  const program = await startProgram({ env: { PEYK_SIMULATORS: '' } });
  expect(program.log.length).toBeGreaterThan(0);
  expect(dangers(program.log)).toEqual([]);
  await program.remove();
});
