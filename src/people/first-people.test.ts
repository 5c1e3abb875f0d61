// The people of an empty installation: made once, and returned until a start has printed them.
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database/database.ts';
import { createAuthenticate } from '../accounts/authenticate.ts';
import { newCredentials } from '../accounts/credentials.ts';
import { openAccount } from '../accounts/open.ts';
import { ensureFirstPeople, firstPeoplePrinted } from './first-people.ts';

const database = await testDatabase();
const db = database.pool;
afterAll(() => database.close());
const key = Buffer.alloc(32, 7);

test('of many first starts at once one makes them, and until one has printed them every start knows them', async () => {
  const requests = Array.from({ length: 8 }, () => ({ demo: newCredentials(), staff: true }));
  const answers = await Promise.all(requests.map(options => ensureFirstPeople(db, key, options)));
  const [first] = answers;
  for (const one of answers) expect(one).toEqual(first);
  expect(first).toMatchObject({ owner: { email: 'demo@peyk.local' }, staff: { email: 'staff@peyk.local' } });
  expect((await createAuthenticate(db)(first!.demo!.key, first!.demo!.hash, '10.0.0.1')).ok).toBe(true);
  const { rows } = await db.query(
    `select (select count(*) from accounts) as accounts, (select count(*) from users) as users`,
  );
  expect(rows).toEqual([{ accounts: 1, users: 2 }]);

  // A start that failed after this: the next one returns the same, whatever it would have made itself.
  expect(await ensureFirstPeople(db, key, { demo: newCredentials(), staff: true })).toEqual(first);
  await firstPeoplePrinted(db);
  expect(await ensureFirstPeople(db, key, { demo: newCredentials(), staff: true })).toEqual({});
});

test('nothing that waits to be printed is readable in the database', async () => {
  await db.query('delete from users where staff');
  const { staff } = await ensureFirstPeople(db, key, { demo: null, staff: true });
  const { rows } = await db.query(`select value from installation where name = 'first-people'`);
  expect(Buffer.from(rows[0].value as string, 'base64').toString('latin1')).not.toContain(staff!.password);
  // With another key there is nothing to print, and nothing breaks.
  expect(await ensureFirstPeople(db, Buffer.alloc(32, 8), { demo: null, staff: true })).toEqual({});
});

test('an installation with an account gets no demo account, and one that wants none gets nobody', async () => {
  const other = await testDatabase();
  expect(await ensureFirstPeople(other.pool, key, { demo: null, staff: false })).toEqual({});
  await openAccount(other.pool, 'Deneme');
  expect(await ensureFirstPeople(other.pool, key, { demo: newCredentials(), staff: false })).toEqual({});
  await other.close();
});
