// The real command in a process of its own: exit codes, and what goes to standard output and what to standard error.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database/database.ts';
import { temporaryFolder } from '../../test/support/run/temporary-folder.ts';
import { projectRoot } from '../db/version.ts';

const database = await testDatabase();
afterAll(() => database.close());
const env = { ...process.env, DATABASE_URL: database.url, PEYK_DATA: temporaryFolder() };

function peyk(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise(resolve => {
    // The first call may have to build dist/.
    const child = execFile(
      process.execPath,
      [join(projectRoot(), 'bin', 'peyk'), ...args],
      { env },
      (_error, out, err) => resolve({ code: child.exitCode ?? -1, out, err }),
    );
  });
}

test('with --json exactly one JSON value is printed and the exit code is 0', async () => {
  const { code, out } = await peyk('account', 'create', '--name', 'Deneme', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ id: expect.any(String), key: expect.any(String), hash: expect.any(String) });
});

test('a mistake is printed on standard error, without a stack, and the exit code is not 0', async () => {
  const { code, out, err } = await peyk('account', 'show', '1', '--json');
  expect({ code, out, err }).toEqual({
    code: 1,
    out: '',
    err: 'there is no account 1; peyk account list shows them\n',
  });
});

test('an audit with findings exits 1 and still prints them', async () => {
  await database.pool.query('update balances set sms = sms + 1');
  const { code, out } = await peyk('audit', '--json');
  await database.pool.query('update balances set sms = sms - 1');
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({
    ok: false,
    findings: [{ invariant: 'the sum of ledger entries is the balance' }],
  });
});

test('wrong settings are reported all at once before anything is done', async () => {
  const { code, err } = await peyk('audit', '--peyk-port', 'x', '--peyk-workers', '0');
  expect(code).toBe(1);
  expect(err).toContain('PEYK_PORT');
  expect(err).toContain('PEYK_WORKERS');
});

test('on a mistyped PEYK_DATA a command makes no database, says so and fails', async () => {
  const mistyped = join(temporaryFolder(), 'dta');
  const { code, out, err } = await peyk('account', 'list', '--json', '--database-url', '', '--peyk-data', mistyped);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toContain(`There is no Peyk database in ${mistyped}`);
  expect(existsSync(mistyped)).toBe(false);
});

test('no command but migrate touches the schema of another version: it says what to do', async () => {
  await database.pool.query(
    "insert into schema_migrations (name, checksum, version, needs) values ('9999_x.sql', 'x', '99.0.0', '99.0.0')",
  );
  const { code, out, err } = await peyk('account', 'list', '--json');
  await database.pool.query("delete from schema_migrations where name = '9999_x.sql'");
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toMatch(/^peyk: the database belongs to a newer Peyk: .* use version 99.0.0 or newer\.\n$/);
});
