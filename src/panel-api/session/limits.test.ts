// Limits hold for fifty concurrent attempts: each is counted before it is made.
import { afterAll, afterEach, expect, test } from 'vitest';
import { wait } from '../../../test/support/run/wait.ts';
import { hashPassword, passwordMatches } from '../../people/passwords.ts';
import { totpCode, totpStep } from '../../people/totp.ts';
import { nowMs, setClock } from '../../time/clock.ts';
import { type Browser, goodPassword, startPanel } from '../panel-fixture.ts';

const panel = await startPanel();
const { pool } = panel.database;
afterAll(() => panel.stop());

// The clock stands still, so that no pause ends while fifty are answered.
const begin = Date.now();
let shiftMs = 0;
afterAll(setClock(() => begin + shiftMs));
afterEach(() => {
  shiftMs = 0;
});

const fifty = Array.from({ length: 50 }, (_, i) => i);

/** How many codes are on their way to a phone. */
async function sentTo(mobile: number): Promise<number> {
  return (await pool.query('select count(*)::int from messages where number = $1', [mobile])).rows[0].count;
}

/** How often each answer occurred; `ok` for accepted attempts. */
async function answers(work: (i: number) => ReturnType<Browser['send']>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { body } of await Promise.all(fifty.map(work))) {
    const code = body.ok ? 'ok' : body.error.code;
    counts[code] = (counts[code] ?? 0) + 1;
  }
  return counts;
}

test('of fifty guesses of a password at once five are looked at', async () => {
  const { email } = await panel.owner();
  const guesser = panel.browser('10.8.0.1');
  const counts = await answers(i => guesser.send('session.signIn', { email, password: `yanlis parola ${i}` }));
  expect(counts).toEqual({ 'wrong-credentials': 5, 'slow-down': 45 });
});

test('of fifty guesses of a second factor at once five are looked at', async () => {
  const owner = await panel.owner();
  const { secret } = await owner.ok('profile.totpStart', { password: goodPassword });
  await owner.ok('profile.totpConfirm', { code: totpCode(secret, totpStep(nowMs())) });
  const guesser = panel.browser('10.8.0.2');
  const guess = { email: owner.email, password: goodPassword };
  const counts = await answers(i => guesser.send('session.signIn', { ...guess, code: String(100_000 + i) }));
  expect(counts).toEqual({ 'wrong-code': 5, 'slow-down': 45 });
});

test('of fifty guesses of the present password in the profile five are looked at', async () => {
  const owner = await panel.owner();
  const counts = await answers(i => owner.send('profile.totpStart', { password: `yanlis parola ${i}` }));
  expect(counts).toEqual({ 'wrong-password': 5, 'slow-down': 45 });
});

test('a place of IPv6 is its /64: other addresses of it may reset the password while strangers use up the hour', async () => {
  const { email } = await panel.owner();
  const mobile = 905_550_000_073;
  await pool.query('update users set mobile = $2 where email = $1', [email, mobile]);
  await panel.browser('2001:db8:5:5::a').ok('session.signIn', { email, password: goodPassword });
  await answers(i => panel.browser(`10.8.22.${i}`).send('session.resetStart', { email }));
  await wait('the codes of strangers', async () => (await sentTo(mobile)) === 7);
  await pool.query("update orders set source = 'platform-read' where source = 'platform'");
  const codeLength = async (address: string) => {
    await panel.browser(address).ok('session.resetStart', { email });
    return (await panel.sentCode(mobile)).length;
  };
  expect(await codeLength('2001:db8:5:5:1:2:3:4')).toBe(6);
  // As release 0.3.0 stored it.
  await pool.query("update sign_in_places set address = '2001:db8:5:5::a' where address = '2001:db8:5:5::/64'");
  expect(await codeLength('2001:db8:5:5::a')).toBe(6);
  shiftMs = 600_000;
  expect(await codeLength('2001:db8:5:6::a')).toBe(8);
});

test('who has a password and guesses its second factor keeps its owner out nowhere that the owner signed in before', async () => {
  const owner = await panel.owner();
  const { secret } = await owner.ok('profile.totpStart', { password: goodPassword });
  const { recoveryCodes } = await owner.ok('profile.totpConfirm', { code: totpCode(secret, totpStep(nowMs())) });
  const given = { email: owner.email, password: goodPassword };
  for (let i = 0; i < 12; i++)
    await panel.browser(`10.8.23.${i}`).refusal('session.signIn', { ...given, code: String(100_000 + i) });
  const right = { ...given, code: recoveryCodes[0]! };
  const elsewhere = panel.browser('10.8.23.99');
  expect((await elsewhere.refusal('session.signIn', right)).code).toBe('slow-down');
  await panel.browser(owner.address).ok('session.signIn', right);
  // At a new place a new password, which the guesser does not have, ends the pause.
  await pool.query('update users set mobile = 905550000074 where email = $1', [owner.email]);
  await elsewhere.ok('session.resetStart', { email: owner.email });
  const [code, password] = [await panel.sentCode(905_550_000_074), 'yepyeni bir parola 4'];
  await elsewhere.ok('session.resetFinish', { email: owner.email, code, password });
  await elsewhere.ok('session.signIn', { ...right, password, code: recoveryCodes[1]! });
});

test('a sign-up code counts in its browser alone: another one neither uses it up nor replaces it', async () => {
  const given = {
    accountName: 'Deneme',
    mobile: '555 000 00 37',
    password: goodPassword,
    email: 'kendi@ornek.com',
    terms: 1,
    privacy: 1,
  };
  const [mine, other] = [panel.browser('10.8.24.1'), panel.browser('10.8.24.2')];
  await mine.ok('session.signUpStart', given);
  const code = await panel.sentCode(905_550_000_037);
  await other.ok('session.signUpStart', given);
  expect(await answers(i => other.send('session.signUp', { ...given, code: `x${i}` }))).toEqual({ 'wrong-code': 50 });
  expect((await panel.browser('10.8.24.3').refusal('session.signUp', { ...given, code })).code).toBe('wrong-code');
  await mine.ok('session.signUp', { ...given, code });
});

test('while strangers ask for resets from everywhere, the owner at a new place gets in, and the phone a code in ten minutes', async () => {
  const { email } = await panel.owner();
  const mobile = 905_550_000_072;
  await pool.query('update users set mobile = $2 where email = $1', [email, mobile]);
  const strangers = fifty.map(i => panel.browser(`10.8.25.${i}`));
  await answers(i => strangers[i]!.send('session.resetStart', { email }));
  const shared = await wait('the shared code', async () =>
    (await sentTo(mobile)) === 7 ? panel.sentCode(mobile) : null,
  );
  expect(shared).toHaveLength(8);
  const mine = panel.browser('10.8.26.1');
  await mine.ok('session.resetStart', { email });
  // Guesses of others, before and after, change nothing.
  const finish = { email, code: shared, password: 'yepyeni bir parola 3' };
  for (let n = 0; n < 3; n++)
    await answers(i => strangers[i]!.send('session.resetFinish', { ...finish, code: String(10_000_000 + i) }));
  // Strangers ask on: a newer code arrives before the owner has typed the first one.
  shiftMs = 600_000 - (begin % 600_000);
  await answers(i => panel.browser(`10.8.27.${i}`).send('session.resetStart', { email }));
  const newer = await wait('another code', async () => ((await sentTo(mobile)) === 8 ? panel.sentCode(mobile) : null));
  expect(newer).not.toBe(shared);
  const nobody = panel.browser('10.8.26.2');
  expect((await nobody.refusal('session.resetFinish', { ...finish, code: newer })).code).toBe('wrong-code');
  await mine.ok('session.resetFinish', { ...finish, code: newer });
  expect(await sentTo(mobile)).toBe(8);
});

test('of fifty requests for a reset code at once an address gets three, and others share what is sent, known or not', async () => {
  const { email } = await panel.owner();
  for (const [n, one] of [email, 'hickimse@ornek.com'].entries()) {
    const here = panel.browser(`10.8.20.${n}`);
    expect(await answers(() => here.send('session.resetStart', { email: one }))).toEqual({ ok: 3, 'slow-down': 47 });
    const counts = await answers(i => panel.browser(`10.8.1.${i}`).send('session.resetStart', { email: one }));
    expect(counts).toEqual({ ok: 50 });
  }
  const asked = await pool.query<{ name: string; count: number }>(
    "select split_part(name, ' ', 1) as name, count from attempts where name like 'slot reset %' or name like 'reset email %'",
  );
  expect(asked.rows.length).toBeGreaterThan(0);
  for (const { name, count } of asked.rows) expect(count, name).toBeLessThanOrEqual(name === 'slot' ? 1 : 6);
});

test('who guesses codes and asks for them on and on keeps nobody from a new password where they signed in before', async () => {
  const owner = await panel.owner();
  const { email } = owner;
  await pool.query('update users set mobile = 905550000071 where email = $1', [email]);
  await panel.browser('10.8.6.1').ok('session.signIn', { email, password: goodPassword });
  const mine = panel.browser('10.8.6.1');
  await mine.ok('session.resetStart', { email });
  const code = await panel.sentCode(905_550_000_071);
  await answers(i => panel.browser(`10.8.7.${i}`).send('session.resetStart', { email }));
  const finish = { email, code, password: 'yepyeni bir parola 2' };
  const guesser = panel.browser('10.8.7.200');
  await answers(i => guesser.send('session.resetFinish', { ...finish, code: `x${i}` }));
  // Neither the right code in another browser nor another browser's newer request changes anything.
  expect((await guesser.refusal('session.resetFinish', finish)).code).toBe('wrong-code');
  await mine.ok('session.resetFinish', finish);
  await mine.ok('session.resetStart', { email });
});

test('of fifty guesses of the first code of a second factor at once ten are looked at', async () => {
  const owner = await panel.owner();
  await owner.ok('profile.totpStart', { password: goodPassword });
  const counts = await answers(i => owner.send('profile.totpConfirm', { code: String(100_000 + i) }));
  expect(counts).toEqual({ 'wrong-code': 10, 'slow-down': 40 });
});

test('while somebody guesses a password from everywhere, its owner signs in from a place that nobody knows', async () => {
  const { email } = await panel.owner();
  for (let n = 0; n < 60; n++)
    await panel.browser(`10.8.8.${n}`).refusal('session.signIn', { email, password: 'yanlis parola' });
  await panel.browser('10.8.9.1').ok('session.signIn', { email, password: goodPassword });
  // The number's own limit is stricter than each guesser's.
  const counts = await answers(i =>
    panel.browser('10.8.8.100').send('session.signIn', { email, password: `yanlis ${i}` }),
  );
  expect(counts['wrong-credentials']).toBeLessThanOrEqual(2);
});

test('three hundred passwords at once from one network wait behind themselves: another network’s is compared next', async () => {
  const stored = await hashPassword(goodPassword);
  const ends: string[] = [];
  const compare = (password: string, address: string) =>
    passwordMatches(stored, password, address).then(
      isRight => ends.push(isRight ? 'right' : 'wrong'),
      error => ends.push(error.code),
    );
  const guesses = fifty.flatMap(i => Array.from({ length: 6 }, () => compare(`yanlis parola ${i}`, '10.8.29.1')));
  await Promise.all([...guesses, compare(goodPassword, '10.8.29.2')]);
  expect(ends.filter(one => one === 'slow-down')).toHaveLength(277);
  expect(ends.filter(one => one !== 'slow-down').indexOf('right')).toBeLessThanOrEqual(5);
});

test('of fifty invitations at once no more are open than an account may have', async () => {
  const owner = await panel.owner();
  await pool.query(
    `insert into invites (account_id, email, role, token_digest, created_by, expires_at)
     select $1, 'bekleyen' || n || '@ornek.com', 'viewer', sha256(('bekleyen' || n)::bytea), 'x', now() + interval '1 day'
     from generate_series(1, 95) n`,
    [owner.accountId],
  );
  const counts = await answers(i => owner.send('users.invite', { email: `davetli${i}@ornek.com`, role: 'viewer' }));
  expect(counts).toEqual({ ok: 5, 'too-many-users': 45 });
});

test('of fifty credentials to be judged at once twenty are', async () => {
  const owner = await panel.owner();
  const { key } = await owner.ok('settings.rotateKey', {});
  const counts = await answers(i => owner.send('settings.testCredentials', { key, hash: `tahmin ${i}` }));
  expect(counts).toEqual({ ok: 20, 'slow-down': 30 });
});

test('of fifty requests for a sign-up code at once a phone gets seven, the last for everybody; from one address three', async () => {
  const given = {
    ...{ accountName: 'Deneme', mobile: '555 000 00 33', password: goodPassword },
    ...{ terms: 1, privacy: 1 },
  };
  const counts = await answers(i =>
    panel.browser(`10.8.2.${i}`).send('session.signUpStart', { ...given, email: `aday${i}@ornek.com` }),
  );
  expect(counts).toEqual({ ok: 50 });
  await wait('the codes', async () => (await sentTo(905_550_000_033)) === 7);
  const shared = await panel.sentCode(905_550_000_033);
  const mine = panel.browser('10.8.28.1');
  await mine.ok('session.signUpStart', { ...given, email: 'benim@ornek.com' });
  await mine.ok('session.signUp', { ...given, email: 'benim@ornek.com', code: shared });
  expect(await sentTo(905_550_000_033)).toBe(7);
  const same = { ...given, mobile: '555 000 00 36', email: 'aday@ornek.com' };
  const here = panel.browser('10.8.21.1');
  expect(await answers(() => here.send('session.signUpStart', same))).toEqual({ ok: 3, 'slow-down': 47 });
  shiftMs = 3_600_001;
  await panel.browser().ok('session.signUpStart', { ...given, email: 'aday@ornek.com' });
});

test('of fifty guesses of a code at once five are looked at: the right one among the rest no longer helps', async () => {
  const given = {
    accountName: 'Deneme',
    mobile: '555 000 00 34',
    password: goodPassword,
    email: 'kod@ornek.com',
    terms: 1,
    privacy: 1,
  };
  const browser = panel.browser('10.8.3.1');
  await browser.ok('session.signUpStart', given);
  const code = await panel.sentCode(905_550_000_034);
  expect(await answers(i => browser.send('session.signUp', { ...given, code: `x${i}` }))).toEqual({ 'wrong-code': 50 });
  const { rows } = await pool.query("select tries from sms_codes where subject like 'kod@ornek.com %'");
  expect(rows).toEqual([{ tries: 5 }]);
  expect((await browser.refusal('session.signUp', { ...given, code })).code).toBe('wrong-code');
});

test('fifty who use one right code at once open one account', async () => {
  const given = {
    accountName: 'Deneme',
    mobile: '555 000 00 35',
    password: goodPassword,
    email: 'bir@ornek.com',
    terms: 1,
    privacy: 1,
  };
  const browser = panel.browser();
  await browser.ok('session.signUpStart', given);
  const code = await panel.sentCode(905_550_000_035);
  const counts = await answers(() => browser.send('session.signUp', { ...given, code }));
  expect(counts).toEqual({ ok: 1, 'wrong-code': 49 });
});

/** Simulates this many failures; from a thousand on, attempts have to wait. */
async function wear(name: string, count: number): Promise<void> {
  await pool.query(
    `insert into attempts (name, count, first_at, last_at, until) values ($1, $2, $3, $3, $4)
     on conflict (name) do update set count = excluded.count, until = excluded.until`,
    [name, count, new Date(begin), new Date(begin + (count > 1_000 ? 60_000 : 0))],
  );
}

test('failures of others behind one proxy keep nobody out, nor do failures with somebody’s own address', async () => {
  const owner = await panel.owner();
  const right = { email: owner.email, password: goodPassword };
  const proxy = '10.8.4.1';
  for (let i = 0; i < 5; i++)
    await panel.browser(proxy).refusal('session.signIn', { email: `k${i}@ornek.com`, password: 'yanlis parola' });
  await wear(`address ${proxy}`, 900);
  await panel.browser(proxy).ok('session.signIn', right);
  // Far more failures, from everywhere: a person who signed in here before still can.
  await wear(`address ${proxy}`, 5_000);
  await wear(`email ${owner.email}`, 5_000);
  await panel.browser(proxy).ok('session.signIn', right);
  const newcomer = await panel.owner();
  const there = { email: newcomer.email, password: goodPassword };
  expect((await panel.browser(proxy).refusal('session.signIn', there)).code).toBe('slow-down');
  shiftMs = 60_001;
  await panel.browser(proxy).ok('session.signIn', there);
});

test('second factors are slowed wherever the guesses come from, and the right one is not after a pause', async () => {
  const owner = await panel.owner();
  const { secret } = await owner.ok('profile.totpStart', { password: goodPassword });
  await owner.ok('profile.totpConfirm', { code: totpCode(secret, totpStep(nowMs())) });
  const guess = { email: owner.email, password: goodPassword };
  const guesses = fifty
    .slice(0, 14)
    .map(i => panel.browser(`10.8.5.${i}`).refusal('session.signIn', { ...guess, code: String(100_000 + i) }));
  const codes = (await Promise.all(guesses)).map(one => one.code).sort();
  expect(codes).toEqual([...Array(4).fill('slow-down'), ...Array(10).fill('wrong-code')]);
  shiftMs = 60_000;
  await panel.browser('10.8.5.99').ok('session.signIn', { ...guess, code: totpCode(secret, totpStep(nowMs())) });
});

test('of fifty documents or large downloads at once no more are taken than an account may have', async () => {
  const owner = await panel.owner();
  const pdf = Buffer.from('%PDF-1.7 deneme');
  const uploads = await Promise.all(
    [...fifty, ...fifty].map(async i => (await owner.upload(pdf, 'application/pdf', `${i}.pdf`)).statusCode),
  );
  expect(uploads.filter(code => code === 200)).toHaveLength(50);
  const asked = { kind: 'orders', format: 'csv', language: 'tr', filter: {} } as const;
  expect(await answers(() => owner.send('exports.start', asked))).toEqual({ ok: 3, 'too-many-exports': 47 });
});
