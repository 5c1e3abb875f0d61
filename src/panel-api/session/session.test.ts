import { afterAll, afterEach, expect, test } from 'vitest';
import { totpCode, totpStep } from '../../people/totp.ts';
import { nowMs, setClock } from '../../time/clock.ts';
import { goodPassword, startPanel } from '../panel-fixture.ts';

const panel = await startPanel();
const { pool } = panel.database;
afterAll(() => panel.stop());

let shiftMs = 0;
const restoreClock = setClock(() => Date.now() + shiftMs);
afterAll(restoreClock);
afterEach(() => {
  shiftMs = 0;
});

const accepted = { terms: 1, privacy: 1 };
const signUp = { accountName: 'Deneme Ltd', mobile: '0555 000 00 01', password: goodPassword, ...accepted };

test('signing up with a code from the phone opens an account with the welcome credit and signs its owner in', async () => {
  const browser = panel.browser();
  const given = { ...signUp, email: 'Ilk@Ornek.com', name: 'İlk Kişi' };
  expect(await browser.ok('session.signUpStart', given)).toEqual({ sent: true });
  const code = await panel.sentCode(905_550_000_001);
  const others = [{ code: code === '000000' ? '000001' : '000000' }, { code, mobile: '5550000002' }];
  for (const other of [...others, { code, email: 'baska@ornek.com' }])
    expect((await browser.refusal('session.signUp', { ...given, ...other })).code).toBe('wrong-code');
  const me = await browser.ok('session.signUp', { ...given, code });
  expect(me.account).toMatchObject({ name: 'Deneme Ltd', role: 'owner', status: 'active' });
  expect(me.user).toMatchObject({ email: 'ilk@ornek.com', name: 'İlk Kişi', staff: false, hasTotp: false });
  expect((await browser.ok('balance.read', {})).sms).toBe(100);
  expect(browser.cookieAttributes).toContain('HttpOnly');
  expect(browser.cookieAttributes).toContain('SameSite=Strict');
  expect(browser.cookieAttributes).toContain('Path=/panel');
  expect((await panel.browser().refusal('session.signUp', { ...given, code })).code).toBe('wrong-code');
});

test('the welcome credit is given once per mobile number, also when two sign up with it at once', async () => {
  const mobile = '0555 000 00 77';
  const signedUp = await Promise.all(
    ['a', 'b'].map(async name => {
      const browser = panel.browser();
      const given = { ...signUp, mobile, email: `${name}@tek-numara.com` };
      await browser.ok('session.signUpStart', given);
      return { browser, given };
    }),
  );
  const codes = new Map<string, string>();
  for (const _ of signedUp) {
    const code = await panel.sentCode(905_550_000_077);
    codes.set(code, code);
  }
  const sums = await Promise.all(
    signedUp.map(async ({ browser, given }) => {
      for (const code of codes.keys())
        if ((await browser.send('session.signUp', { ...given, code })).body.ok)
          return (await browser.ok('balance.read', {})).sms;
      throw new Error('no code fits');
    }),
  );
  expect(sums.sort()).toEqual([0, 100]);
});

test('until the number is proved, known and unknown e-mail addresses are answered alike', async () => {
  const { email } = await panel.owner();
  const answers = [];
  const browsers = [panel.browser('10.9.10.1'), panel.browser('10.9.10.1')];
  for (const [i, one] of [email, 'bilinmeyen@ornek.com'].entries()) {
    const browser = browsers[i]!;
    const given = { ...signUp, mobile: `555 000 01 0${i}`, email: one };
    const start = await browser.send('session.signUpStart', given);
    const wrong = await browser.send('session.signUp', { ...given, code: 'x' });
    answers.push([start.status, start.text, wrong.status, wrong.text]);
  }
  expect(answers[0]).toEqual(answers[1]);
  const given = { ...signUp, mobile: '555 000 01 00', email };
  const code = await panel.sentCode(905_550_000_100);
  expect((await browsers[0]!.refusal('session.signUp', { ...given, code })).code).toBe('email-taken');
});

test('a code stands in no order, no table and no list of staff as it is', async () => {
  const owner = await panel.owner();
  await owner.ok('session.resetStart', { email: owner.email });
  const code = await panel.sentCode();
  const { rows } = await pool.query(
    `select t.text, (select string_agg(o::text, ' ') from orders o where o.account_id = t.account_id) as orders,
       (select string_agg(m::text, ' ') from messages m where m.account_id = t.account_id) as messages
     from order_texts t join installation i on i.name = 'platform-account' and i.value = t.account_id::text
     order by t.order_id desc limit 1`,
  );
  expect(rows[0].text).toBe('Peyk parola yenileme kodunuz: ******. Kodu kimseyle paylasmayin. 10 dakika gecerlidir.');
  expect(rows[0].orders + rows[0].messages).not.toMatch(new RegExp(`(?<!\\d)${code}(?!\\d)`));
});

test.each([
  [{ email: 'yok' }, 'bad-email', 'email'],
  [{ email: 'a@b.com', mobile: '123' }, 'bad-mobile', 'mobile'],
  [{ email: 'a@b.com', password: 'kisa' }, 'weak-password', 'password'],
  [{ email: 'a@b.com', accountName: ' ' }, 'bad-name', 'accountName'],
])('signing up with %j is refused with %s before a code is sent, and opens nothing', async (change, code, field) => {
  const before = await pool.query('select count(*) from accounts');
  const error = await panel.browser().refusal('session.signUpStart', { ...signUp, ...change });
  expect(error).toMatchObject({ code, field });
  expect(error.tr).not.toBe('');
  expect((await pool.query('select count(*) from accounts')).rows).toEqual(before.rows);
});

test('a session ends with sign-out, and its token is of no use afterwards', async () => {
  const owner = await panel.owner();
  const token = owner.cookie;
  await owner.ok('session.signOut', {});
  expect(owner.cookie).toBe('');
  owner.cookie = token;
  const answer = await owner.send('session.me', {});
  expect(answer.status).toBe(401);
  expect(answer.body).toMatchObject({ ok: false, error: { code: 'signed-out' } });
});

test('the token is another one after signing in, the one from before is dead, and its refusals leave the cookie alone', async () => {
  const owner = await panel.owner();
  const before = owner.cookie;
  await owner.ok('session.signIn', { email: owner.email, password: goodPassword });
  const after = owner.cookie;
  expect(after).not.toBe(before);
  await owner.ok('session.me', {});
  owner.cookie = before;
  expect((await owner.refusal('session.me', {})).code).toBe('signed-out');
  // A late removal would delete the new session's cookie.
  expect(owner.cookie).toBe(before);
});

test('a session ends after 12 hours of silence', async () => {
  const owner = await panel.owner();
  shiftMs = 12 * 3_600_000 - 60_000;
  await owner.ok('session.me', {});
  shiftMs += 12 * 3_600_000 + 1_000;
  expect((await owner.refusal('session.me', {})).code).toBe('signed-out');
});

test('no token, no account and no cookie of another kind lets anybody in', async () => {
  const browser = panel.browser();
  for (const cookie of ['', 'x', 'a'.repeat(43), '%00', '../..']) {
    browser.cookie = cookie;
    expect((await browser.refusal('session.me', {})).code).toBe('signed-out');
  }
});

test('requests that do not come from our own pages are refused', async () => {
  const owner = await panel.owner();
  const cases: Record<string, string>[] = [
    {},
    { 'x-peyk-panel': '1', 'sec-fetch-site': 'cross-site' },
    { 'x-peyk-panel': '1', 'sec-fetch-site': 'same-site' },
    { 'x-peyk-panel': '1', origin: 'https://baska.example' },
    { 'x-peyk-panel': '1', origin: 'null' },
  ];
  for (const headers of cases) {
    const { status, body } = await owner.send('session.signOut', {}, headers);
    expect([status, body]).toMatchObject([403, { ok: false, error: { code: 'cross-site' } }]);
  }
  const ours = { 'x-peyk-panel': '1', 'sec-fetch-site': 'same-origin', origin: 'http://localhost:80' };
  expect((await owner.send('session.me', {}, ours)).status).toBe(200);
});

test('wrong passwords and unknown people get the same answer, and are slowed after five', async () => {
  const owner = await panel.owner();
  const guesser = panel.browser('10.9.9.1');
  const guess = (email: string) => guesser.refusal('session.signIn', { email, password: 'yanlis parola' });
  expect(await guess(owner.email)).toEqual(await guess('kimse@ornek.com'));
  for (let i = 0; i < 4; i++) expect((await guess(owner.email)).code).toBe('wrong-credentials');
  const slowed = await guess(owner.email);
  expect(slowed.code).toBe('slow-down');
  expect(slowed.retryAfterMs).toBeGreaterThan(0);
  // There, even the right password waits, but not from another address.
  const right = { email: owner.email, password: goodPassword };
  expect((await guesser.refusal('session.signIn', right)).code).toBe('slow-down');
  await panel.browser('10.9.9.2').ok('session.signIn', right);
  shiftMs = 2_000;
  await guesser.ok('session.signIn', right);
});

async function withTotp() {
  const owner = await panel.owner();
  const { secret } = await owner.ok('profile.totpStart', { password: goodPassword });
  const code = () => totpCode(secret, totpStep(nowMs()));
  const { recoveryCodes } = await owner.ok('profile.totpConfirm', { code: code() });
  return { owner, code, recoveryCodes };
}

test('with a second factor the password alone is not enough, and a code is good once', async () => {
  const { owner, code } = await withTotp();
  const right = { email: owner.email, password: goodPassword };
  const browser = panel.browser('10.9.8.1');
  expect((await browser.refusal('session.signIn', right)).code).toBe('totp-required');
  expect((await browser.refusal('session.signIn', { ...right, code: '000000' })).code).toBe('wrong-code');
  // The code that confirmed the setup was the last one used.
  expect((await browser.refusal('session.signIn', { ...right, code: code() })).code).toBe('wrong-code');
  shiftMs = 31_000;
  const fresh = code();
  expect((await browser.ok('session.signIn', { ...right, code: fresh })).user.hasTotp).toBe(true);
  expect((await browser.refusal('session.signIn', { ...right, code: fresh })).code).toBe('wrong-code');
});

test('a recovery code is valid once', async () => {
  const { owner, recoveryCodes } = await withTotp();
  expect(recoveryCodes).toHaveLength(10);
  const right = { email: owner.email, password: goodPassword, code: recoveryCodes[3]!.toUpperCase() };
  const browser = panel.browser('10.9.8.2');
  await browser.ok('session.signIn', right);
  expect((await browser.ok('profile.read', {})).recoveryCodesLeft).toBe(9);
  expect((await browser.refusal('session.signIn', right)).code).toBe('wrong-code');
});

test('the secret and the recovery codes stand nowhere in the database as they are', async () => {
  const { owner, recoveryCodes } = await withTotp();
  const { rows } = await pool.query(
    `select u::text || coalesce(string_agg(r::text, ''), '') as stored from users u
     left join recovery_codes r on r.user_id = u.id where u.email = $1 group by u.*`,
    [owner.email],
  );
  for (const one of recoveryCodes) expect(rows[0].stored).not.toContain(one.replace('-', ''));
});

test('turning the second factor off or changing the mobile number asks for the password', async () => {
  const { owner } = await withTotp();
  expect((await owner.refusal('profile.totpDisable', { password: 'baska' })).code).toBe('wrong-password');
  expect((await owner.refusal('profile.update', { mobile: '5550000009' })).code).toBe('wrong-password');
  await owner.ok('profile.update', { mobile: '5550000009', password: goodPassword });
  await owner.ok('profile.totpDisable', { password: goodPassword });
  expect((await owner.ok('profile.read', {})).hasTotp).toBe(false);
});

test('a changed password ends the other sessions and keeps this one', async () => {
  const owner = await panel.owner();
  const other = panel.browser('10.9.7.1');
  await other.ok('session.signIn', { email: owner.email, password: goodPassword });
  await owner.ok('profile.changePassword', { current: goodPassword, password: 'baska uzun parola' });
  await owner.ok('session.me', {});
  expect((await other.refusal('session.me', {})).code).toBe('signed-out');
});

test('sessions are listed, and one or all others can be closed', async () => {
  const owner = await panel.owner();
  const others = [panel.browser('10.9.6.1'), panel.browser('10.9.6.2'), panel.browser('10.9.6.3')];
  for (const one of others) await one.ok('session.signIn', { email: owner.email, password: goodPassword });
  const { sessions } = await owner.ok('profile.sessions', {});
  expect(sessions).toHaveLength(4);
  expect(sessions.filter(one => one.isCurrent)).toHaveLength(1);
  await owner.ok('profile.revokeSession', { id: sessions.find(one => one.address === '10.9.6.1')!.id });
  expect((await others[0]!.refusal('session.me', {})).code).toBe('signed-out');
  expect(await owner.ok('profile.revokeOthers', {})).toEqual({ closed: 2 });
  const stranger = await panel.owner();
  expect((await stranger.refusal('profile.revokeSession', { id: sessions[0]!.id })).code).toBe('not-found');
});

test('a forgotten password is set anew with a code sent by SMS, which is good once', async () => {
  const owner = await panel.owner();
  const browser = panel.browser('10.9.5.1');
  await browser.ok('session.resetStart', { email: owner.email });
  const code = await panel.sentCode();
  const password = 'yepyeni bir parola';
  expect((await browser.refusal('session.resetFinish', { email: owner.email, code: '12', password })).code).toBe(
    'wrong-code',
  );
  await browser.ok('session.resetFinish', { email: owner.email, code, password });
  expect((await browser.refusal('session.resetFinish', { email: owner.email, code, password })).code).toBe(
    'wrong-code',
  );
  expect((await owner.refusal('session.me', {})).code).toBe('signed-out');
  await browser.ok('session.signIn', { email: owner.email, password });
  // The platform sends it: the account's owner neither sees nor pays it.
  expect((await browser.ok('orders.list', {})).rows).toEqual([]);
  expect((await browser.ok('balance.read', {})).sms).toBe(100);
});

test('a reset code dies after five wrong tries and after ten minutes', async () => {
  const owner = await panel.owner();
  const browser = panel.browser('10.9.5.2');
  const finish = (code: string) => ({ email: owner.email, code, password: 'yepyeni bir parola' });
  await browser.ok('session.resetStart', { email: owner.email });
  const first = await panel.sentCode();
  for (let i = 0; i < 5; i++) await browser.refusal('session.resetFinish', finish('x'));
  expect((await browser.refusal('session.resetFinish', finish(first))).code).toBe('wrong-code');
  await browser.ok('session.resetStart', { email: owner.email });
  const second = await panel.sentCode();
  shiftMs = 10 * 60_000 + 1_000;
  expect((await browser.refusal('session.resetFinish', finish(second))).code).toBe('wrong-code');
});

test('asking for a code answers alike for unknown addresses, and not more than three times an hour', async () => {
  const owner = await panel.owner();
  for (const [email, address] of [
    [owner.email, '10.9.4.1'],
    ['yok@ornek.com', '10.9.4.2'],
  ] as const) {
    const browser = panel.browser(address);
    for (let i = 0; i < 3; i++)
      expect(await browser.ok('session.resetStart', { email })).toEqual({ sentIfKnown: true });
    expect((await browser.refusal('session.resetStart', { email })).code).toBe('slow-down');
  }
});

test('an invitation makes a new person a user of the account, once', async () => {
  const owner = await panel.owner('Davet Eden');
  const made = await owner.ok('users.invite', { email: 'davetli@ornek.com', role: 'viewer' });
  const guest = panel.browser();
  expect(await guest.ok('session.invite', { token: made.token })).toEqual({
    accountName: 'Davet Eden',
    email: 'davetli@ornek.com',
    role: 'viewer',
    isKnownUser: false,
  });
  const me = await guest.ok('session.acceptInvite', { token: made.token, password: goodPassword, name: 'Davetli' });
  expect(me.account).toMatchObject({ id: owner.accountId, role: 'viewer' });
  expect((await guest.refusal('session.invite', { token: made.token })).code).toBe('invite-gone');
  const { users, invites } = await owner.ok('users.list', {});
  expect(users.map(one => [one.email, one.role])).toEqual([
    [owner.email, 'owner'],
    ['davetli@ornek.com', 'viewer'],
  ]);
  expect(invites).toEqual([]);
});

test('a known person takes up an invitation only with the own password, and may then switch accounts', async () => {
  const owner = await panel.owner('Bir');
  const known = await panel.owner('İki');
  const { token } = await owner.ok('users.invite', { email: known.email, role: 'sender' });
  const guest = panel.browser('10.9.3.1');
  const wrong = await guest.refusal('session.acceptInvite', { token, password: 'bu degil iste' });
  expect(wrong.code).toBe('wrong-credentials');
  const me = await guest.ok('session.acceptInvite', { token, password: goodPassword });
  expect(me.accounts).toHaveLength(2);
  expect((await guest.ok('session.switchAccount', { accountId: known.accountId })).account?.name).toBe('İki');
  const stranger = await panel.owner();
  expect((await guest.refusal('session.switchAccount', { accountId: stranger.accountId })).code).toBe('not-found');
});

test('the last owner can be neither removed nor made less', async () => {
  const owner = await panel.owner();
  const me = await owner.ok('session.me', {});
  const userId = me.user.id;
  expect((await owner.refusal('users.remove', { userId })).code).toBe('last-owner');
  expect((await owner.refusal('users.setRole', { userId, role: 'viewer' })).code).toBe('last-owner');
});

test('a removed user is out at once', async () => {
  const owner = await panel.owner();
  const { token } = await owner.ok('users.invite', { email: 'giden@ornek.com', role: 'owner' });
  const guest = panel.browser();
  const me = await guest.ok('session.acceptInvite', { token, password: goodPassword });
  await owner.ok('users.remove', { userId: me.user.id });
  expect((await guest.refusal('orders.list', {})).code).toBe('no-account');
});

test('the panel list is enforced at every request and cannot lock its author out', async () => {
  const owner = await panel.owner();
  const lock = await owner.refusal('settings.setAddresses', { list: 'panel', addresses: ['10.1.1.1'] });
  expect(lock).toMatchObject({ code: 'would-lock-out', field: 'addresses' });
  expect((await owner.ok('settings.read', {})).panelAddresses).toEqual([]);
  await owner.ok('settings.setAddresses', { list: 'panel', addresses: ['10.0.0.1', '::ffff:10.1.1.1'] });
  await owner.ok('orders.list', {});
  owner.address = '10.0.0.2';
  for (const name of ['session.me', 'orders.list', 'profile.read'] as const) {
    const { status, body } = await owner.send(name, {});
    expect([status, body]).toMatchObject([403, { ok: false, error: { code: 'address-not-listed' } }]);
  }
  const elsewhere = panel.browser('10.0.0.2');
  const right = { email: owner.email, password: goodPassword };
  expect((await elsewhere.refusal('session.signIn', right)).code).toBe('address-not-listed');
  await panel.browser('10.1.1.1').ok('session.signIn', right);
  owner.address = '10.0.0.1';
  await owner.ok('settings.setAddresses', { list: 'panel', addresses: [] });
});

test('what people did stands in the audit, with who and from where', async () => {
  const owner = await panel.owner();
  await owner.ok('settings.setApi', { enabled: false });
  await owner.ok('settings.rotateKey', {});
  const { rows } = await owner.ok('audit.list', {});
  expect(rows.map(one => one.action)).toEqual(['credentials.rotate', 'settings.change', 'account.sign-up']);
  expect(rows[0]).toMatchObject({ actor: owner.email, address: '10.0.0.1' });
  expect((await owner.ok('audit.list', { action: 'credentials.rotate' })).rows).toHaveLength(1);
  expect((await owner.ok('audit.list', { actor: 'baskasi' })).rows).toHaveLength(0);
});

test('with a public address of https the cookie is Secure though the request came plain, and examples carry the address', async () => {
  const other = await startPanel('no-build-here', 'https://sms.example.com');
  const owner = await other.owner();
  const me = await owner.ok('session.signIn', { email: owner.email, password: goodPassword });
  expect(owner.cookieAttributes).toContain('; Secure');
  expect(me.publicUrl).toBe('https://sms.example.com');
  expect((await owner.ok('developers.read', {})).baseUrl).toBe('https://sms.example.com');
  await owner.ok('session.signOut', {});
  expect(owner.cookieAttributes).toContain('; Secure');
  await other.stop();
});
