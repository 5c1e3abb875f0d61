// What the audit log records of failed sign-ins.
import { afterAll, expect, test } from 'vitest';
import { wait } from '../../../test/support/run/wait.ts';
import { goodPassword, startPanel } from '../panel-fixture.ts';

const panel = await startPanel();
const { pool } = panel.database;
afterAll(() => panel.stop());

type Owner = Awaited<ReturnType<typeof panel.owner>>;

async function lines(owner: Owner, action: string, count: number) {
  await wait(`${count} entries of ${action}`, async () => {
    const { rows } = await pool.query('select 1 from audit_entries where account_id = $1 and action = $2', [
      owner.accountId,
      action,
    ]);
    return rows.length === count;
  });
  return (await owner.ok('audit.list', { action })).rows;
}

test('a failed sign-in stands in the log of the account with its cause and address', async () => {
  const owner = await panel.owner();
  const guesser = panel.browser('10.9.9.1');
  const refused = await guesser.refusal('session.signIn', { email: owner.email, password: 'yanlış bir şey' });
  expect(refused.code).toBe('wrong-credentials');
  const [line] = await lines(owner, 'session.refused', 1);
  expect(line).toMatchObject({ actor: owner.email, address: '10.9.9.1', detail: { cause: 'wrong-credentials' } });
});

test('a reset that is asked for, guessed at and done stands in the log of the account', async () => {
  const owner = await panel.owner();
  const { email } = owner;
  const someone = panel.browser('10.9.9.2');
  await someone.ok('session.resetStart', { email });
  await lines(owner, 'password.reset-ask', 1);
  const code = await panel.sentCode();
  const wrong = code === '000000' ? '111111' : '000000';
  await someone.refusal('session.resetFinish', { email, code: wrong, password: goodPassword });
  expect((await lines(owner, 'password.reset-refused', 1))[0]!.detail).toEqual({ cause: 'wrong-code' });
  await someone.ok('session.resetFinish', { email, code, password: `${goodPassword} yeni` });
  await someone.ok('session.signIn', { email, password: `${goodPassword} yeni` });
  owner.cookie = someone.cookie;
  expect(await lines(owner, 'password.reset', 1)).toHaveLength(1);
});

test('staff see failed sign-ins of unknown names, but only a limited number', async () => {
  const staff = await panel.staff();
  const stranger = panel.browser('10.9.9.3');
  for (let i = 0; i < 14; i++)
    await stranger.send('session.signIn', { email: `yabanci${i}@ornek.com`, password: 'yanlış bir şey' });
  const refused = async () => (await staff.ok('staff.audit', { actor: 'yabanci' })).rows;
  await wait('ten entries', async () => (await refused()).length >= 10);
  expect(await refused()).toHaveLength(10);
  expect((await refused())[0]).toMatchObject({ accountId: null, action: 'session.refused', address: '10.9.9.3' });
});

test('people are named in the log, and a downloaded log is in words', async () => {
  const owner = await panel.owner();
  const { id } = await owner.ok('users.invite', { email: 'davetli@ornek.com', role: 'viewer' });
  await owner.ok('users.revokeInvite', { id });
  expect((await lines(owner, 'user.invite-revoke', 1))[0]!.detail).toEqual({ email: 'davetli@ornek.com' });
  const file = (await owner.get('/panel/api/export/audit?language=tr')).body;
  expect(file).toContain('Davet geri alındı;e-posta: davetli@ornek.com');
  expect(file).not.toMatch(/user\.invite|\{""/);
});

test('a changed setting is listed with its old and new value, in the list and in the downloaded log', async () => {
  const owner = await panel.owner();
  await owner.ok('settings.setLowBalance', { threshold: 100, sms: false });
  await owner.ok('settings.setLowBalance', { threshold: 200, sms: false });
  const [line] = await lines(owner, 'settings.change', 2);
  expect(line!.detail).toEqual({ 'low-balance': '200', 'low-balance-sms': 'off', was: { 'low-balance': 100 } });
  const file = (await owner.get('/panel/api/export/audit?language=tr')).body;
  expect(file).toContain('düşük bakiye uyarısı: 100 → 200');
  expect(file).toMatch(/^\d\d\.\d\d\.\d{4} \d\d:\d\d:\d\d;/m);
});
