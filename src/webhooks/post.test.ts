import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type HookOptions, type HookReceiver, startHookReceiver } from '../../simulators/hook-receiver/main.ts';
import { setClock } from '../time/clock.ts';
import { createPoster, type PosterOptions } from './post.ts';

// A self-signed certificate of the name hook.example, made for these tests.
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgnOhXDac4N3Lh+ynh
3dEBDYmq3ZChDVvCKnPUdEbrULChRANCAARxLk5m4R2M1ef30YSybH/jq2hqEswC
DQxD4/VZgIfjUJ6WlCrrI87qCGdLlCXPXUhnaIQOgF3JTV0umIigkOK0
-----END PRIVATE KEY-----`;
const cert = `-----BEGIN CERTIFICATE-----
MIIBajCCARCgAwIBAgIBATAKBggqhkjOPQQDAjAXMRUwEwYDVQQDDAxob29rLmV4
YW1wbGUwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBcxFTATBgNV
BAMMDGhvb2suZXhhbXBsZTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABHEuTmbh
HYzV5/fRhLJsf+OraGoSzAINDEPj9VmAh+NQnpaUKusjzuoIZ0uUJc9dSGdohA6A
XclNXS6YiKCQ4rSjSzBJMBcGA1UdEQQQMA6CDGhvb2suZXhhbXBsZTAPBgNVHRMB
Af8EBTADAQH/MB0GA1UdDgQWBBSOESiSvfhHIEe1f9aHIeK4F+7FgTAKBggqhkjO
PQQDAgNIADBFAiAJu7CNHvBlelX9bwSMvPbC2bVXB99CmBQjgWbVP40x4gIhAN5O
nZlv59o1zPCXs5vr79jzAmlJ9MDEQKGETU+YbNPl
-----END CERTIFICATE-----`;

const started: HookReceiver[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map(one => one.stop()));
});

async function receiver(options: HookOptions = {}): Promise<HookReceiver> {
  const one = await startHookReceiver(options);
  started.push(one);
  return one;
}

async function postOnce(url: string, options: Partial<PosterOptions> = {}) {
  const endpoint = createPoster({ allowPrivate: true, ...options }).open(url);
  try {
    return await endpoint.post({ 'Content-Type': 'application/json' }, '{"a":"ş"}');
  } finally {
    endpoint.close();
  }
}

test('a 2xx answer is a success, kept with its status and text', async () => {
  const hook = await receiver();
  expect(await postOnce(`${hook.url}/sms?x=1`)).toMatchObject({ failure: null, status: 200, answer: 'ok\n' });
  expect(hook.calls[0]).toMatchObject({ path: '/sms?x=1', body: '{"a":"ş"}' });
});

test('the answer 500 is a failure with its status', async () => {
  const hook = await receiver({ mode: { mode: 'failing', status: 500 } });
  expect(await postOnce(hook.url)).toMatchObject({ failure: 'status', status: 500, answer: 'no\n' });
});

test('a redirect is not followed', async () => {
  const goal = await receiver();
  const hook = await receiver({ mode: { mode: 'redirect', to: goal.url } });
  expect(await postOnce(hook.url)).toMatchObject({ failure: 'redirect', status: 302 });
  expect(goal.count()).toBe(0);
});

test('an answer that is cut off is a failure, even after the status 200', async () => {
  const hook = await receiver({ mode: { mode: 'close' } });
  expect(await postOnce(hook.url)).toMatchObject({ failure: 'cut', status: 200 });
});

test('an endpoint that never answers is left after the time limit', async () => {
  const hook = await receiver({ mode: { mode: 'hang' } });
  expect(await postOnce(hook.url, { timeoutMs: 50 })).toMatchObject({ failure: 'timeout', status: null });
});

test('nobody listening is "refused"', async () => {
  const hook = await receiver();
  await hook.stop();
  expect(await postOnce(hook.url)).toMatchObject({ failure: 'refused' });
});

test('posts share kept connections, and one closed by the other side meanwhile costs nothing', async () => {
  const hook = await receiver();
  const endpoint = createPoster({ allowPrivate: true }).open(hook.url);
  expect(await endpoint.post({}, '1')).toMatchObject({ failure: null });
  await hook.stop();
  started.push(await startHookReceiver({ port: hook.port }));
  expect(await endpoint.post({}, '2')).toMatchObject({ failure: null });
  endpoint.close();
});

test('plain http is refused unless the operator allows it', async () => {
  const hook = await receiver();
  expect(await postOnce(hook.url, { allowPrivate: false })).toMatchObject({ failure: 'url' });
  expect(hook.count()).toBe(0);
});

test('a private address is refused without a connection, given as a number, by name, or among public ones', async () => {
  const hook = await receiver({ tls: { key, cert } });
  const strict = { allowPrivate: false, ca: cert };
  expect(await postOnce(hook.url, strict)).toMatchObject({ failure: 'address' });
  const named = `https://hook.example:${hook.port}/`;
  const answers = [['127.0.0.1'], ['93.184.215.14', '127.0.0.1'], ['::ffff:127.0.0.1'], ['169.254.169.254']];
  for (const addresses of answers)
    expect(await postOnce(named, { ...strict, resolve: async () => addresses })).toMatchObject({ failure: 'address' });
  expect(hook.count()).toBe(0);
});

test('a name that is rebound to a private address later is refused then', async () => {
  const hook = await receiver({ tls: { key, cert } });
  let address = '127.0.0.1';
  let asked = 0;
  const resolve = async () => {
    asked++;
    return [address];
  };
  // Only 127.0.0.1 counts as a public address here.
  const options = { allowPrivate: false, ca: cert, resolve, isPublic: (one: string) => one === '127.0.0.1' };
  const endpoint = createPoster(options).open(`https://hook.example:${hook.port}/`);
  let time = Date.now();
  const restore = setClock(() => time);
  try {
    expect(await endpoint.post({}, '1')).toMatchObject({ failure: null });
    address = '127.0.0.2';
    expect(await endpoint.post({}, '2')).toMatchObject({ failure: null });
    expect(asked).toBe(1);
    time += 60_000;
    expect(await endpoint.post({}, '3')).toMatchObject({ failure: 'address' });
    expect(hook.calls.map(call => call.body)).toEqual(['1', '2']);
  } finally {
    restore();
    endpoint.close();
  }
});

test('the name stays in Host and in the certificate check while the checked address is connected to', async () => {
  const hook = await receiver({ tls: { key, cert } });
  const resolve = async () => ['127.0.0.1'];
  const good = await postOnce(`https://hook.example:${hook.port}/`, { ca: cert, resolve });
  expect(good).toMatchObject({ failure: null, status: 200 });
  expect(hook.calls[0]!.headers.host).toBe(`hook.example:${hook.port}`);
  expect(await postOnce(`https://other.example:${hook.port}/`, { ca: cert, resolve })).toMatchObject({
    failure: 'tls',
  });
  expect(await postOnce(`https://hook.example:${hook.port}/`, { resolve })).toMatchObject({ failure: 'tls' });
});

test('a name that cannot be resolved is a failure of its own', async () => {
  const resolve = () => Promise.reject(new Error('unknown'));
  expect(await postOnce('https://hook.example/', { resolve })).toMatchObject({ failure: 'dns', status: null });
});

test('of an endless answer only the beginning is read and kept, and the status counts', async () => {
  let closed = false;
  const server = createServer((_, response) => {
    response.on('close', () => {
      closed = true;
    });
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(16_384)));
    };
    response.on('drain', more);
    more();
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  try {
    const outcome = await postOnce(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    expect(outcome).toMatchObject({ failure: null, status: 200, answer: 'x'.repeat(4_096) });
    await expect.poll(() => closed).toBe(true);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
