// Commands that let people and programs in, or give credit: what is repeated, taken or switched off.
import { expect, test } from 'vitest';
import { createAuthenticate } from '../accounts/authenticate.ts';
import { findSession, openSession } from '../people/sessions.ts';
import { commandLine } from './command-fixture.ts';

const { database, run, json } = await commandLine();
const authenticate = createAuthenticate(database.pool);

test('account set old-login=on shows a user name and a password once, and off ends them', async () => {
  const { id } = await json('account', 'create', '--name', 'Eski');
  const { oldLogin } = await json('account', 'set', id, 'old-login=on');
  const login = () => authenticate(oldLogin.username, oldLogin.password, '10.0.0.1', false, 'old-login');
  expect((await login()).ok).toBe(true);
  const shown = await run('account', 'show', id, '--json');
  expect(JSON.parse(shown)['old-login']).toBe(id);
  expect(shown).not.toContain(oldLogin.password);
  await expect(run('account', 'set', id, 'old-login=a b')).rejects.toThrow('user name');
  expect((await json('account', 'set', id, 'old-login=off'))['old-login']).toBe('off');
  expect(await login()).toMatchObject({ ok: false, cause: 'old-login-off' });
});

test('credit grant with a key adds credit once, also when it is repeated', async () => {
  const { id } = await json('account', 'create', '--name', 'Anahtarlı');
  const grant = ['credit', 'grant', id, '50', '--key', 'havale-17'];
  const both = await Promise.all([json(...grant), json(...grant)]);
  expect(both).toEqual([
    { sms: 150, amount: 0 },
    { sms: 150, amount: 0 },
  ]);
  await expect(run('credit', 'grant', id, '60', '--key', 'havale-17')).rejects.toThrow('havale-17');
});

test('staff create does not make staff of a customer, and a new password of staff ends their sessions', async () => {
  const { pool } = database;
  const [person] = (
    await pool.query(
      "insert into users (email, password_hash) values ('musteri@example.com', 'x') returning id, password_hash",
    )
  ).rows;
  const create = ['staff', 'create', '--password', 'cok-gizli-parola', '--email'];
  await expect(run(...create, 'Musteri@example.com')).rejects.toThrow('musteri@example.com');
  expect((await pool.query('select staff, password_hash from users where id = $1', [person.id])).rows).toEqual([
    { staff: false, password_hash: 'x' },
  ]);
  await json(...create, 'operator@example.com');
  const staffId = (await pool.query("select id from users where email = 'operator@example.com'")).rows[0].id;
  const token = await openSession(pool, staffId, null, { address: '10.0.0.1', agent: '' });
  await json(...create, 'operator@example.com');
  expect(await findSession(pool, token, '10.0.0.1')).toBeNull();
});
