// Metrics and details of health are for insiders; liveness is public.
import { afterAll, expect, test } from 'vitest';
import { testApp } from '../../test/support/program/app.ts';

const insiders = { addresses: ['203.0.113.0/24', '2001:db8::7'], token: 'gizli-anahtar' };
const app = await testApp({ insiders });
const proxied = await testApp({ insiders, trustedProxies: ['127.0.0.1'] });
const closed = await testApp();
afterAll(() => Promise.all([app.close(), proxied.close(), closed.close()]));

async function seen(remoteAddress: string, headers: Record<string, string> = {}, from = app) {
  const ask = (url: string) => from.server.inject({ method: 'GET', url, remoteAddress, headers });
  const [metrics, live, ready] = [await ask('/metrics'), await ask('/health/live'), await ask('/health/ready')];
  expect([live.statusCode, ready.statusCode]).toEqual([200, 200]);
  expect(ready.json()).toEqual({ ready: true });
  return { metrics: metrics.statusCode, details: 'stalled' in live.json() };
}

const inside = { metrics: 200, details: true };
const outside = { metrics: 404, details: false };

test('metrics and details of health are shown to this machine, to named addresses and to the bearer of the token', async () => {
  for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '127.9.9.9', '203.0.113.200', '2001:db8::7'])
    expect([address, await seen(address)]).toEqual([address, inside]);
  expect(await seen('198.51.100.1', { authorization: 'Bearer gizli-anahtar' })).toEqual(inside);
});

test('nobody else sees more than that the program lives and is ready', async () => {
  for (const address of ['198.51.100.1', '10.0.0.1', '203.0.114.1', '2001:db8::8', '::ffff:198.51.100.1'])
    expect([address, await seen(address)]).toEqual([address, outside]);
  for (const authorization of ['Bearer gizli', 'Bearer ', 'gizli-anahtar', 'Basic gizli-anahtar', 'Bearer undefined'])
    expect(await seen('198.51.100.1', { authorization })).toEqual(outside);
  // Without a token no bearer is one, and without names only this machine is inside.
  for (const authorization of ['Bearer ', 'Bearer'])
    expect(await seen('198.51.100.1', { authorization }, closed)).toEqual(outside);
  expect(await seen('203.0.113.200', {}, closed)).toEqual(outside);
  expect(await seen('127.0.0.1', {}, closed)).toEqual(inside);
});

test('what a proxy on this machine passes on is not this machine’s own', async () => {
  for (const header of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'])
    expect([header, await seen('127.0.0.1', { [header]: '127.0.0.1' })]).toEqual([header, outside]);
  expect(await seen('127.0.0.1', { 'x-forwarded-for': '198.51.100.1' }, proxied)).toEqual(outside);
  expect(await seen('127.0.0.1', { 'x-forwarded-for': '203.0.113.5' }, proxied)).toEqual(inside);
});
