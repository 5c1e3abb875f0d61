// The HTTP edge: health, headers, large requests by the dozen.
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { expectRefusal, expectSuccess } from '../../test/support/customers/answers.ts';
import { freshText, numbers, order, sender } from '../../test/support/customers/samples.ts';
import { pathOf, testApp } from '../../test/support/program/app.ts';

const app = await testApp({ own: true });
afterAll(() => app.close());
const account = await app.open({ senders: [sender], sms: 1_000_000 });

async function get(path: string, from = app): Promise<{ http: number; body: unknown }> {
  const answer = await from.client.open(path, { method: 'GET' });
  const text = await readText(answer);
  return { http: answer.statusCode!, body: text ? JSON.parse(text) : '' };
}

test('health says live and ready', async () => {
  expect(await get('/health/live')).toEqual({ http: 200, body: { live: true, stalled: [] } });
  expect(await get('/health/ready')).toEqual({ http: 200, body: { ready: true } });
});

test('a server whose database goes away is alive but not ready, and serves again when it is back', async () => {
  const other = await testApp({ own: true });
  const lone = await other.open();
  const name = (await other.db.query('select current_database() as name')).rows[0].name;
  await app.db.query(`alter database ${name} with allow_connections false`);
  await app.db.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  await expect.poll(() => get('/health/ready', other)).toEqual({ http: 503, body: { ready: false } });
  expect((await get('/health/live', other)).http).toBe(200);
  expectRefusal(await lone.call('get-balance'), 503);
  await app.db.query(`alter database ${name} with allow_connections true`);
  await expect.poll(() => get('/health/ready', other)).toEqual({ http: 200, body: { ready: true } });
  expectSuccess(await lone.call('get-balance'), 'balance');
  await other.close();
});

test('a page that is asked for leaves its connection open for the next', async () => {
  for (const path of ['/health/live', '/openapi.json', '/docs/api', '/nowhere', '/v1/nothing/json']) {
    const answer = await app.client.open(path, { method: 'GET' });
    answer.resume();
    expect(answer.headers.connection, path).not.toBe('close');
  }
});

test('answers are not cached and not guessed at', async () => {
  const { headers } = await account.call('get-balance');
  expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
  expect(headers).not.toHaveProperty('x-powered-by');
});

test('a slash at the end of the path changes nothing, nor does a query', async () => {
  const { key, hash } = account;
  const body = { request: { authentication: { key, hash } } };
  for (const more of ['/', '?a=1', '/?a=1'])
    expectSuccess(await app.client.post(`${pathOf('get-balance')}${more}`, body), 'balance');
});

test('every address of "localhost" gives the same answers', async () => {
  const local = await testApp({ host: 'localhost' });
  try {
    const { key, hash } = await local.open();
    const answers = await Promise.all(
      (local.server.addresses() as AddressInfo[]).map(async ({ address, family, port }) => {
        const host = family === 'IPv6' ? `[${address}]` : address;
        const body = JSON.stringify({ request: { authentication: { key, hash } } });
        const answer = await fetch(`http://${host}:${port}${pathOf('get-balance')}`, { method: 'POST', body });
        return [answer.status, answer.headers.get('cache-control'), await answer.text()];
      }),
    );
    expect(answers.length).toBeGreaterThan(0);
    for (const answer of answers) expect(answer).toEqual([200, 'no-store', expect.stringContaining('"sms":')]);
  } finally {
    await local.close();
  }
});

test('the root and everything unknown is 404 in the envelope', async () => {
  for (const path of ['/', '/v1', '/v1/', '/admin', '/v1/send-sms/json/extra', '/V1/send-sms/json', '/%2e%2e/x'])
    expectRefusal(await app.client.send(path, { method: 'GET' }), 404);
});

test('a dozen orders of 20,000 recipients at once are all accepted, and small calls pass them by', async () => {
  const sending = Array.from({ length: 12 }, () =>
    account.call('send-sms', { order: order({}, freshText(), numbers(20_000)) }),
  );
  let done = false;
  const all = Promise.all(sending).then(replies => {
    done = true;
    return replies.map(reply => reply.code);
  });
  let passed = 0;
  while (!done) {
    expectSuccess(await account.call('get-sender'), 'senders');
    passed++;
  }
  expect(await all).toEqual(Array(12).fill(200));
  expect(passed).toBeGreaterThan(3);
  expect(await app.audit()).toEqual({ ok: true, findings: [] });
});

test('while a server closes, what is under way is answered and ends its connection', async () => {
  const closing = await testApp({ own: true });
  const one = await closing.open();
  const body = JSON.stringify({ request: { authentication: { key: one.key, hash: one.hash } } });
  const call = request(new URL(pathOf('get-balance'), closing.url), {
    method: 'POST',
    agent: new Agent({ keepAlive: true }),
    headers: { 'content-length': Buffer.byteLength(body) },
  });
  call.write(body.slice(0, 20));
  await once(closing.server.server, 'request');
  const closed = closing.server.close();
  await expect.poll(() => closing.server.server.listening).toBe(false);
  call.end(body.slice(20));
  const [answer] = (await once(call, 'response')) as [IncomingMessage];
  expect([answer.statusCode, answer.headers.connection]).toEqual([200, 'close']);
  await readText(answer);
  await closed;
  await closing.close();
});

test('a server that closes answers what is under way', async () => {
  const closing = await testApp({ own: true });
  const one = await closing.open({ senders: [sender], sms: 50_000 });
  const sending = one.call('send-sms', { order: order({}, freshText(), numbers(20_000)) });
  await expect.poll(async () => (await closing.db.query('select count(*)::int as n from orders')).rows[0].n).toBe(1);
  const [answer] = await Promise.all([sending, closing.server.close()]);
  expectSuccess(answer, 'order');
  await closing.close();
});

test('HEAD answers like GET, without a body', async () => {
  for (const path of [
    '/health/live',
    '/health/ready',
    '/metrics',
    '/nowhere',
    '/v1/get-balance/json',
    '/v1/get-balance',
  ]) {
    const [asked, headed] = [
      await app.client.open(path, { method: 'GET' }),
      await app.client.open(path, { method: 'HEAD' }),
    ];
    const length = Buffer.byteLength(await readText(asked));
    expect(await readText(headed)).toBe('');
    expect([path, headed.statusCode, headed.headers['content-type']]).toEqual([
      path,
      asked.statusCode,
      asked.headers['content-type'],
    ]);
    expect([path, headed.headers['content-length']]).toEqual([path, String(length)]);
  }
});

test('HEAD sends no order', async () => {
  const { key, hash } = account;
  const query = new URLSearchParams({ key, hash, sender, text: freshText(), receipents: numbers(1)[0]! });
  const count = async () => (await app.db.query('select count(*)::int as n from orders')).rows[0].n;
  const before = await count();
  const answer = await app.client.open(`/v1/send-sms/get?${query}`, { method: 'HEAD' });
  expect([answer.statusCode, await readText(answer)]).toEqual([404, '']);
  expect(await count()).toBe(before);
});
