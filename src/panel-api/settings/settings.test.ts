import { createHash } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { startPanel } from '../panel-fixture.ts';

const panel = await startPanel();
afterAll(() => panel.stop());

const serverUrl = await panel.server.listen({ host: '127.0.0.1', port: 0 });

/** Over a real connection, because these calls do not pass the framework; the proxy's header gives the address. */
function callApi(operation: string, key: string, hash: string, address = '10.0.0.1') {
  return fetch(`${serverUrl}/v1/${operation}/json`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify({ request: { authentication: { key, hash } } }),
  });
}

test('the hash is in the answer of a rotation, works, and stands in no later answer', async () => {
  const owner = await panel.owner();
  const { key, hash } = await owner.ok('settings.rotateKey', {});
  expect((await callApi('get-balance', key, hash)).status).toBe(200);
  for (const name of ['settings.read', 'developers.read', 'audit.list', 'apiLog.list', 'session.me'] as const) {
    const { text } = await owner.send(name, {});
    expect(text, name).not.toContain(hash);
  }
  const settings = await owner.ok('settings.read', {});
  expect(settings.key?.key).toBe(key);
  expect(settings.oldKeys).toHaveLength(1);
  expect(settings.oldKeys[0]?.keyStart).toHaveLength(8);
});

test('the credential tester tells each mistake apart, about own keys only', async () => {
  const owner = await panel.owner();
  const old = await owner.ok('settings.rotateKey', {});
  const { key, hash, secret } = await owner.ok('settings.rotateKey', {});
  const stranger = await (await panel.owner()).ok('settings.rotateKey', {});
  const verdict = async (given: { key: string; hash: string }) =>
    (await owner.ok('settings.testCredentials', given)).verdict;
  expect(await verdict({ key, hash })).toBe('right');
  expect(await verdict({ key, hash: ` ${hash}\n` })).toBe('blanks');
  expect(await verdict({ key, hash: createHash('md5').update(hash).digest('hex') })).toBe('computed');
  expect(await verdict({ key, hash: 'x' })).toBe('wrong-hash');
  expect(await verdict({ key, hash: secret })).toBe('secret');
  expect(await verdict(old)).toBe('old-key');
  expect(await verdict(stranger)).toBe('foreign-key');
  await owner.ok('settings.setAddresses', { list: 'api', addresses: ['10.5.5.5'] });
  expect(await verdict({ key, hash })).toBe('right-but-address');
  await owner.ok('settings.setApi', { enabled: false });
  expect(await verdict({ key, hash })).toBe('right-but-off');
});

test('each cause of a 401 has its own sentence and remedy in the API log', async () => {
  const owner = await panel.owner();
  const old = await owner.ok('settings.rotateKey', {});
  const { key, hash } = await owner.ok('settings.rotateKey', {});
  await callApi('get-balance', key, 'yanlis');
  await callApi('get-balance', key, `${hash} `);
  await callApi('get-balance', old.key, old.hash);
  await owner.ok('settings.setAddresses', { list: 'api', addresses: ['10.5.5.5'] });
  await callApi('get-balance', key, hash, '10.6.6.6');
  await owner.ok('settings.setApi', { enabled: false });
  await callApi('get-balance', key, hash, '10.5.5.5');
  await expect.poll(async () => (await owner.ok('apiLog.list', {})).rows.length).toBe(5);
  const { rows } = await owner.ok('apiLog.list', {});
  expect(new Set(rows.map(one => one.sentence.tr)).size).toBe(5);
  expect(rows.map(one => [one.cause, one.remedy.kind])).toEqual([
    ['api-off', 'enable-api'],
    ['address-not-listed', 'add-address'],
    ['disabled-key', 'api-access'],
    ['hash-with-blanks', 'api-access'],
    ['wrong-hash', 'api-access'],
  ]);
  expect(rows[1]?.remedy).toEqual({ kind: 'add-address', address: '10.6.6.6' });
  const { groups } = await owner.ok('apiLog.groups', {});
  expect(groups).toHaveLength(5);
  const attention = (await owner.ok('overview.read', { period: '7d' })).attention;
  expect(attention).toMatchObject([{ kind: 'api-refusals', count: 5 }]);
  const recent = (await owner.ok('settings.read', {})).recentAddresses;
  expect(recent.map(one => [one.address, one.isListed])).toEqual(
    expect.arrayContaining([
      ['10.6.6.6', false],
      ['10.5.5.5', true],
    ]),
  );
});

test('the API reference of the panel has the meaning of every code in the language of its reader', async () => {
  const owner = await panel.owner();
  const { operations } = await owner.ok('developers.read', {});
  const codes = operations.flatMap(one => one.codes);
  expect(codes.length).toBeGreaterThan(50);
  for (const { tr, en } of codes) {
    expect(tr).not.toBe('');
    expect(en).not.toMatch(/^$|[çğışöüÇĞİŞÖÜ]/);
  }
});

test('accepted calls are counted and tell when and from where the key was last used', async () => {
  const owner = await panel.owner();
  const { key: name, hash } = await owner.ok('settings.rotateKey', {});
  for (let i = 0; i < 3; i++) await callApi('get-balance', name, hash, '10.4.4.4');
  await callApi('get-sender', name, hash, '10.4.4.5');
  // A refused call and a message sent in the panel are not accepted API calls.
  expect((await callApi('send-sms', name, hash, '10.4.4.5')).status).not.toBe(200);
  const given = { sender: 'APITEST', text: 'Merhaba', recipients: ['5320000001'], sendAt: null, commercial: false };
  await owner.ok('send.submit', { ...given, idempotencyKey: 'anahtar-1' });
  await panel.usage.flush();
  const { key, recentAddresses } = await owner.ok('settings.read', {});
  expect(key?.lastUse?.at).toBeDefined();
  expect(recentAddresses.map(one => [one.address, one.calls]).sort()).toEqual([
    ['10.4.4.4', 3],
    ['10.4.4.5', 1],
  ]);
  expect((await owner.ok('apiLog.groups', {})).accepted).toEqual([
    { operation: 'get-balance', count: 3 },
    { operation: 'get-sender', count: 1 },
  ]);
});

test('viewers see neither the key nor the developers’ key', async () => {
  const owner = await panel.owner();
  const { token } = await owner.ok('users.invite', { email: `izleyen${owner.accountId}@ornek.com`, role: 'viewer' });
  const viewer = panel.browser();
  await viewer.ok('session.acceptInvite', { token, password: 'uzun bir parola 1' });
  expect((await viewer.ok('settings.read', {})).key).toBeNull();
  expect((await viewer.ok('developers.read', {})).key).toBeNull();
  expect((await owner.ok('developers.read', {})).operations.map(one => one.name)).toContain('send-sms');
});

test('address lists hold at most five addresses, in one spelling', async () => {
  const owner = await panel.owner();
  const set = (addresses: string[]) => owner.refusal('settings.setAddresses', { list: 'api', addresses });
  expect((await set(['1.2.3'])).code).toBe('bad-address');
  expect((await set(['1.1.1.1', '1.1.1.2', '1.1.1.3', '1.1.1.4', '1.1.1.5', '1.1.1.6'])).code).toBe('bad-input');
  const { apiAddresses } = await owner.ok('settings.setAddresses', {
    list: 'api',
    addresses: ['::FFFF:1.2.3.4', '1.2.3.4', '2001:DB8::0001'],
  });
  expect(apiAddresses).toEqual(['1.2.3.4', '2001:db8::1']);
});

test('mode, abroad and opt-out words are saved together or not at all', async () => {
  const owner = await panel.owner();
  const saved = await owner.ok('settings.setSending', {
    mode: 'turkish',
    abroad: true,
    optOutKeywords: ['ret', 'çık', 'İptal'],
  });
  const words = ['RET', 'IPTAL', 'DUR', 'STOP', 'CIK'];
  expect(saved).toMatchObject({ mode: 'turkish', abroad: true, optOutKeywords: words });
  const error = await owner.refusal('settings.setSending', { mode: 'english', optOutKeywords: ['iki kelime'] });
  expect(error.code).toBe('bad-keyword');
  expect((await owner.ok('settings.read', {})).mode).toBe('turkish');
  const none = await owner.ok('settings.setSending', { optOutKeywords: [] });
  expect(none.optOutKeywords).toEqual(none.legalKeywords);
});

test('the first steps follow what really happened', async () => {
  const owner = await panel.owner();
  const states = async () => (await owner.ok('onboarding.read', {})).steps.map(one => one.state);
  const your = 'your-turn';
  expect(await states()).toEqual(['done', your, your, 'done', your, your, your]);
  await owner.ok('settings.setApi', { enabled: false });
  await owner.ok('settings.rotateKey', {});
  expect(await states()).toEqual(['done', your, your, your, 'done', your, your]);
});

test('the owner switches the login of older clients on and off; its password is in that answer only and opens no panel', async () => {
  const owner = await panel.owner();
  expect((await owner.ok('settings.read', {})).oldLogin).toBeNull();
  const { login } = await owner.ok('settings.setOldLogin', { enabled: true, username: '905550001122' });
  expect(login!.username).toBe('905550001122');
  const read = await owner.send('settings.read', {});
  expect(read.text).not.toContain(login!.password);
  expect(read.text).toContain('"username":"905550001122"');
  const guest = panel.browser('10.7.7.7');
  expect((await guest.refusal('session.signIn', { email: owner.email, password: login!.password })).code).toBe(
    'wrong-credentials',
  );
  const other = await panel.owner();
  expect((await other.refusal('settings.setOldLogin', { enabled: true, username: '905550001122' })).code).toBe(
    'bad-username',
  );
  expect(await owner.ok('settings.setOldLogin', { enabled: false })).toEqual({ login: null });
  expect((await owner.ok('settings.read', {})).oldLogin).toBeNull();
});

test('the API log shows successful calls one by one: by operation, by key, by order, and only those of the account', async () => {
  const [owner, other] = [await panel.owner(), await panel.owner()];
  const depot = await owner.ok('settings.createKey', { name: 'Depo' });
  const till = await owner.ok('settings.createKey', { name: 'Kasa' });
  const foreign = await other.ok('settings.createKey', { name: 'Öbürü' });
  for (const pair of [depot, till, foreign]) await callApi('get-balance', pair.key, pair.hash, '10.8.8.8');
  await callApi('get-sender', till.key, till.hash);
  await callApi('get-balance', till.key, `${till.hash}x`);
  await panel.calls.flush();
  const asked = async (filter = {}) =>
    (await owner.ok('apiLog.calls', filter)).rows.map(one => [one.operation, one.keyName]);
  expect(await asked()).toEqual([
    ['get-sender', 'Kasa'],
    ['get-balance', 'Kasa'],
    ['get-balance', 'Depo'],
  ]);
  expect(await asked({ keyStart: depot.key.slice(0, 8) })).toEqual([['get-balance', 'Depo']]);
  expect(await asked({ operation: 'get-sender' })).toEqual([['get-sender', 'Kasa']]);
  expect(await asked({ address: '10.8.8.8' })).toHaveLength(2);
  expect(await asked({ orderId: 5 })).toEqual([]);
});

test('the owner limits a key: it is shown, counts from the next call, and is taken away again; others may not', async () => {
  const owner = await panel.owner();
  const fresh = await owner.ok('settings.createKey', { name: 'Yardımcı' });
  const line = async () => (await owner.ok('settings.read', {})).keys.find(one => one.key === fresh.key);
  expect(await line()).toMatchObject({ scopes: null, recipientsMax: null, dailyMax: null });
  const balance = () => callApi('get-balance', fresh.key, fresh.hash);
  expect((await balance()).status).toBe(200);
  const limits = { scopes: ['send' as const], recipientsMax: 20, dailyMax: 200 };
  await owner.ok('settings.limitKey', { key: fresh.key, ...limits });
  expect(await line()).toMatchObject(limits);
  await expect.poll(async () => (await balance()).status).toBe(401);
  for (const wrong of [{ scopes: [] }, { recipientsMax: 0 }, { dailyMax: 1.5 }])
    expect((await owner.refusal('settings.limitKey', { key: fresh.key, ...limits, ...wrong })).code).toBe('bad-input');
  expect((await owner.refusal('settings.limitKey', { key: 'yok', ...limits })).code).toBe('not-found');
  await owner.ok('settings.limitKey', { key: fresh.key, scopes: null, recipientsMax: null, dailyMax: null });
  await expect.poll(async () => (await balance()).status).toBe(200);
  expect((await owner.ok('audit.list', { action: 'credentials.limit' })).rows).toHaveLength(2);
});

test('refused calls of an ended key are counted for that key alone', async () => {
  const owner = await panel.owner();
  const [first, second] = [
    await owner.ok('settings.createKey', { name: 'Bir' }),
    await owner.ok('settings.createKey', { name: 'İki' }),
  ];
  for (const { key } of [first, second]) await owner.ok('settings.endKey', { key });
  for (let i = 0; i < 3; i++) await callApi('get-balance', first.key, first.hash);
  const refused = async () => {
    const { oldKeys } = await owner.ok('settings.read', {});
    return Object.fromEntries(oldKeys.map(one => [one.name, one.refusedCalls]));
  };
  await expect.poll(refused, { timeout: 90_000 }).toEqual({ Bir: 3, İki: 0 });
});
