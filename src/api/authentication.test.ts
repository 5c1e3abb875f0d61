// Authentication: every cause of 401 looks the same on the wire; the owner's log shows the cause.
import { afterAll, expect, test } from 'vitest';
import { expectRefusal, expectSuccess } from '../../test/support/customers/answers.ts';
import { order } from '../../test/support/customers/samples.ts';
import { type TestAccount, testApp } from '../../test/support/program/app.ts';
import { rotateCredentials } from '../accounts/credentials.ts';
import { listRefusals } from '../accounts/refusals.ts';
import { changeSettings } from '../accounts/settings.ts';

const app = await testApp();
const proxied = await testApp({ trustedProxies: ['127.0.0.1'] });
afterAll(async () => {
  await app.close();
  await proxied.close();
});

async function lastCause(account: TestAccount): Promise<string> {
  await app.refusals.flush();
  return (await listRefusals(app.db, account.id, 1))[0]!.cause;
}

test('right credentials are enough, from any address, while no list is set', async () => {
  expectSuccess(await (await app.open()).call('get-balance'), 'balance');
});

test('a hash with a blank at its end is wrong, and the log says so', async () => {
  const account = await app.open();
  for (const hash of [`${account.hash} `, `\n${account.hash}`]) {
    expectRefusal(await account.call('get-balance', {}, { hash }), 401);
    expect(await lastCause(account)).toBe('hash-with-blanks');
  }
  expectRefusal(await account.call('get-balance', {}, { key: `${account.key} ` }), 401);
});

test('a hash in other letters, shortened, computed or of another account is wrong', async () => {
  const account = await app.open();
  const other = await app.open();
  for (const hash of [account.hash.toUpperCase(), account.hash.slice(1), '', other.hash, account.key]) {
    expectRefusal(await account.call('get-balance', {}, { hash }), 401);
    expect(await lastCause(account)).toBe('wrong-hash');
  }
});

test('with API access off even right credentials are refused, until it is on again', async () => {
  const account = await app.open({ settings: { api: 'off' } });
  expectRefusal(await account.call('get-balance'), 401);
  expect(await lastCause(account)).toBe('api-off');
  await changeSettings(app.db, account.id, { api: 'on' });
  expectSuccess(await account.call('get-balance'), 'balance');
});

test('a suspended account is refused', async () => {
  const account = await app.open({ settings: { status: 'suspended' } });
  expectRefusal(await account.call('send-sms', { order: order({ sender: 'APITEST' }) }), 401);
  expect(await lastCause(account)).toBe('suspended');
});

test('after a rotation the new key works at once and the old one is known as disabled', async () => {
  const account = await app.open();
  const fresh = await rotateCredentials(app.db, account.id);
  expectRefusal(await account.call('get-balance'), 401);
  expect(await lastCause(account)).toBe('disabled-key');
  expectSuccess(await app.call('get-balance', {}, fresh), 'balance');
});

test('a wrong hash of a disabled key is reported as a wrong hash: the hash is checked first', async () => {
  const account = await app.open({ settings: { api: 'off' } });
  expectRefusal(await account.call('get-balance', {}, { hash: 'x' }), 401);
  expect(await lastCause(account)).toBe('wrong-hash');
});

test('an address that is not on the list is refused', async () => {
  const account = await app.open({ settings: { ips: '10.1.2.3,2001:db8::1' } });
  expectRefusal(await account.call('get-balance'), 401);
  expect(await lastCause(account)).toBe('address-not-listed');
  await changeSettings(app.db, account.id, { ips: '10.1.2.3,127.0.0.1' });
  expectSuccess(await account.call('get-balance'), 'balance');
  await changeSettings(app.db, account.id, { ips: '' });
  expectSuccess(await account.call('get-balance'), 'balance');
});

test('a forwarded address is not believed unless the proxy is trusted', async () => {
  const headers = { 'x-forwarded-for': '10.1.2.3' };
  const account = await app.open({ settings: { ips: '10.1.2.3' } });
  expectRefusal(await account.call('get-balance', {}, { headers }), 401);
  const behind = await proxied.open({ settings: { ips: '10.1.2.3' } });
  expectSuccess(await behind.call('get-balance', {}, { headers }), 'balance');
  expectRefusal(await behind.call('get-balance'), 401);
});

test('behind a trusted proxy the nearest address that is not the proxy counts, not what the caller claims', async () => {
  const account = await proxied.open({ settings: { ips: '10.1.2.3' } });
  const from = (address: string) => account.call('get-balance', {}, { headers: { 'x-forwarded-for': address } });
  expectSuccess(await from('203.0.113.9, 10.1.2.3'), 'balance');
  expectRefusal(await from('10.1.2.3, 203.0.113.9'), 401);
  expectRefusal(await from('10.1.2.3.4'), 401);
  expectRefusal(await from('x'.repeat(3_000)), 401);
});

test('IPv4 and IPv6 addresses are the same in every spelling', async () => {
  const account = await proxied.open({ settings: { ips: '10.1.2.3,2001:DB8:0:0::1' } });
  const from = (address: string) => account.call('get-balance', {}, { headers: { 'x-forwarded-for': address } });
  for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '::FFFF:0a01:0203', '2001:db8::1', '2001:0db8:0000::0001'])
    expectSuccess(await from(address), 'balance');
  for (const address of ['10.1.2.4', '2001:db8::2', '::10.1.2.3']) expectRefusal(await from(address), 401);
});

test('refused calls of known accounts are in the owner’s log with operation, code, address and agent', async () => {
  const account = await app.open();
  const headers = { 'user-agent': 'Deneme/1.0 ü' };
  expectRefusal(await account.call('get-report', { order: { id: '1' } }, { headers }), 455);
  expectRefusal(await account.call('get-blacklist', { blacklist: { filter: { start: 'x' } } }), 422);
  await app.refusals.flush();
  const [second, first] = await listRefusals(app.db, account.id, 2);
  expect(first).toMatchObject({
    operation: 'get-report',
    code: 455,
    cause: 'Sipariş bulunamadı',
    address: '127.0.0.1',
    agent: expect.stringMatching(/^Deneme\/1\.0 \?+$/),
  });
  expect(second).toMatchObject({
    operation: 'get-blacklist',
    code: 422,
    cause: expect.stringContaining('Y-m-d H:i:s'),
  });
});

test('the hash is stored nowhere in clear, not even in a log', async () => {
  const account = await app.open();
  await account.call('get-balance', {}, { hash: `${account.hash}x` });
  await app.refusals.flush();
  const { rows } = await app.db.query(`select to_jsonb(t)::text as line from credentials t union all
    select to_jsonb(t)::text from api_refusals t union all select to_jsonb(t)::text from audit_entries t`);
  const everything = rows.map(row => row.line).join('\n');
  expect(everything).toContain(account.key);
  expect(everything).not.toContain(account.hash);
});

test('failures with one key are slowed after 20 a minute, while right credentials are never', async () => {
  const account = await app.open();
  let answered = 0;
  const failures = Array.from({ length: 30 }, async () => {
    expectRefusal(await account.call('get-balance', {}, { hash: 'wrong' }), 401);
    answered++;
  });
  await expect.poll(() => answered).toBeGreaterThanOrEqual(20);
  // The last of these calls wait for 2 s; valid calls made meanwhile are answered first.
  for (let i = 0; i < 5; i++) expectSuccess(await account.call('get-balance'), 'balance');
  expect(answered).toBeLessThan(30);
  await Promise.all(failures);
});

test('nothing of all this was a fault of the server', () => {
  expect([...app.faults, ...proxied.faults]).toEqual([]);
});
