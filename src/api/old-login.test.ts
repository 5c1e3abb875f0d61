// User name and password instead of key and hash: refused unless enabled, in every form of the interface.
import { text as readText } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { expectRefusal, expectSuccess } from '../../test/support/customers/answers.ts';
import { freshText, order, sender } from '../../test/support/customers/samples.ts';
import { pathOf, type TestAccount, testApp } from '../../test/support/program/app.ts';
import { findOldLogin, type OldLogin, readOldLogin, setOldLogin } from '../accounts/old-login.ts';
import { listRefusals } from '../accounts/refusals.ts';
import { changeSettings } from '../accounts/settings.ts';

const app = await testApp();
afterAll(() => app.close());

const json = (operation: string, login: object, members: object = {}) =>
  app.client.post(pathOf(operation), { request: { authentication: login, ...members } });

async function others(login: { username: string; password: string }): Promise<(number | undefined)[]> {
  const { username, password } = login;
  const xml = `<request><authentication><username>${username}</username><password>${password}</password></authentication></request>`;
  const order = { sender, text: freshText(), receipents: '5550000001', iys: '0' };
  const query = new URLSearchParams({ username, password, ...order });
  const answers = [
    await app.client.open('/v1/get-balance', { headers: { 'content-type': 'text/xml' }, body: xml }),
    await app.client.open(`/v1/send-sms/get/?${query}`, { method: 'GET' }),
  ];
  for (const answer of answers) await readText(answer);
  return answers.map(answer => answer.statusCode);
}

async function opened(): Promise<{ account: TestAccount; login: OldLogin }> {
  const account = await app.open({ senders: [sender], sms: 100 });
  return { account, login: (await setOldLogin(app.db, account.id, 'on'))! };
}

async function lastCause(account: TestAccount): Promise<string> {
  await app.refusals.flush();
  return (await listRefusals(app.db, account.id, 1))[0]!.cause;
}

test('user name and password are 401 in JSON, XML and GET unless the owner has switched them on', async () => {
  const account = await app.open({ senders: [sender] });
  for (const password of [account.hash, account.key, '']) {
    const login = { username: String(account.id), password };
    expectRefusal(await json('get-balance', login), 401);
    expect(await others(login)).toEqual([401, 401]);
  }
});

test('switched on, they are as good as key and hash in JSON, XML and GET', async () => {
  const { account, login } = await opened();
  expect(login).toEqual({ username: String(account.id), password: expect.stringMatching(/^[A-Za-z2-9]{24}$/) });
  expectSuccess(await json('get-balance', login), 'balance');
  expectSuccess(await json('send-sms', login, { order: order({}, freshText()) }), 'order');
  expect(await others(login)).toEqual([200, 200]);
  expectSuccess(await account.call('get-balance'), 'balance');
});

test('the password is stored nowhere as it is and is none of the other credentials', async () => {
  const { account, login } = await opened();
  const { rows } = await app.db.query('select l::text as stored from old_logins l where account_id = $1', [account.id]);
  expect(rows[0].stored).not.toContain(login.password);
  expectRefusal(await account.call('get-balance', {}, { hash: login.password }), 401);
  expectRefusal(await json('get-balance', { key: login.username, hash: login.password }), 401);
  expectRefusal(await json('get-balance', { username: account.key, password: account.hash }), 401);
});

test('a wrong password, a blank too many or key and hash beside it are 401, and the owner sees which', async () => {
  const { account, login } = await opened();
  for (const password of ['x', `${login.password} `, login.password.toLowerCase()]) {
    expectRefusal(await json('get-balance', { ...login, password }), 401);
    expect(await lastCause(account)).toBe('wrong-old-password');
  }
  expectRefusal(await json('get-balance', { ...login, key: 'x', hash: 'y' }), 401);
  await changeSettings(app.db, account.id, { api: 'off' });
  expectRefusal(await json('get-balance', login), 401);
  expect(await lastCause(account)).toBe('api-off');
});

test('switched off or renewed it stops at once, also for an account that was just remembered', async () => {
  const { account, login } = await opened();
  const send = (one: object) => json('send-sms', one, { order: order({}, freshText()) });
  for (let i = 0; i < 2; i++) expectSuccess(await send(login), 'order');
  const renewed = (await setOldLogin(app.db, account.id, readOldLogin('eski-istemci')))!;
  expectRefusal(await send(login), 401);
  for (let i = 0; i < 2; i++) expectSuccess(await send(renewed), 'order');
  await setOldLogin(app.db, account.id, readOldLogin('off'));
  expectRefusal(await send(renewed), 401);
  expect(await lastCause(account)).toBe('old-login-off');
  expect(await findOldLogin(app.db, account.id)).toBeUndefined();
});

test('a user name belongs to one account and has a form', async () => {
  const [one, other] = [await app.open(), await app.open()];
  await setOldLogin(app.db, one.id, readOldLogin('905550000000'));
  await expect(setOldLogin(app.db, other.id, '905550000000')).rejects.toThrow('taken');
  for (const bad of ['', 'ab', 'a b c', 'ş'.repeat(5), 'x'.repeat(65)]) expect(() => readOldLogin(bad)).toThrow();
});
