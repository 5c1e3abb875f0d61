// The registry simulator pushes to a real server; the rest of the tests are what a stranger may try.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startScene } from '../../test/support/peers/consent-scene.ts';
import { AcceptQueue } from '../accept/accept-queue.ts';
import { createAuthenticate } from '../accounts/authenticate.ts';
import { RefusalLog } from '../accounts/refusals.ts';
import { SlowDown } from '../accounts/slow-down.ts';
import { createRegistryClient } from '../consent/registry/client.ts';
import { brand, draft, numbered, type Scene } from '../consent/sync/sync-fixture.ts';
import { silentLog } from '../log.ts';
import { addRegistryPush, pushPath } from './registry-push.ts';
import { createServer } from './server.ts';

const user = 'kayit';
const password = 'uzun:ve-gizli-ğ';
const one = numbered(1);
const record = {
  brandCode: brand,
  recipient: one,
  recipientType: 'BIREYSEL',
  type: 'MESAJ',
  status: 'RET',
  source: 'IYS_WEB',
  consentDate: '2026-03-11 12:00:00',
  transactionId: 'b'.repeat(64),
};
const closers: Array<() => Promise<unknown>> = [];
let scene: Scene;
let url: string;

beforeAll(async () => {
  scene = await startScene();
  url = await startServer();
});
afterAll(async () => {
  for (const close of closers) await close();
  await scene.close();
});
beforeEach(() => scene.db.query('delete from consent_records'));

async function startServer(
  settings: { user?: string; password?: string; answerMs?: number } = { user, password },
): Promise<string> {
  const { db } = scene;
  const log = silentLog;
  const refusals = new RefusalLog(db, log);
  const orders = new AcceptQueue(db, 86_400_000);
  const services = { db, orders, authenticate: createAuthenticate(db), slowDown: new SlowDown(), refusals, log };
  const server = createServer(services, { trustedProxies: [] });
  const config = {
    PEYK_REGISTRY_PUSH_USER: settings.user ?? '',
    PEYK_REGISTRY_PUSH_PASSWORD: settings.password ?? '',
  };
  addRegistryPush(server, { db, log, config, ...(settings.answerMs ? { answerMs: settings.answerMs } : {}) });
  const address = await server.listen({ host: '127.0.0.1', port: 0 });
  closers.push(() => server.close());
  return `${address}${pushPath}`;
}

const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;
const right = basic(`${user}:${password}`);

async function post(to: string, body: string, authorization: string | null = right) {
  const headers = { 'content-type': 'application/json', ...(authorization === null ? {} : { authorization }) };
  const answer = await fetch(to, { method: 'POST', headers, body });
  return { http: answer.status, challenge: answer.headers.get('www-authenticate'), text: await answer.text() };
}

test('a citizen’s RET that the registry pushes blocks the next commercial send', async () => {
  const client = createRegistryClient({ baseUrl: scene.registry.url, iysCode: 600, username: 'a', password: 'b' });
  const connection = { url, type: 'MESAJ', username: user, password } as const;
  expect(await client.registerPush(brand, [connection])).toEqual({ kind: 'ok' });
  await scene.register(draft(one));
  expect(await scene.blocked(905550000001)).toEqual([0]);
  await scene.citizen(one, 'RET');
  await expect.poll(() => scene.blocked(905550000001)).toEqual([3]);
  expect((await scene.stored()).at(-1)).toMatchObject({ origin: 'registry', source: 'IYS_WEB', state: 'accepted' });
  const pushes = () => scene.control<{ pushes: object }>('stats').then(stats => stats.pushes);
  await expect.poll(pushes).toEqual({ sent: 1, failed: 0 });
  expect((await scene.sync()).pulled).toBe(0);
  expect(await client.unregisterPush(brand, connection)).toEqual({ kind: 'ok' });
  client.close();
});

test('a repeated push is answered 200 and adds nothing', async () => {
  const body = JSON.stringify({ list: [record] });
  for (const _try of [1, 2, 3]) expect((await post(url, body)).http).toBe(200);
  expect(await scene.stored()).toHaveLength(1);
});

test.each([
  ['no password at all', null],
  ['a wrong password', basic(`${user}:uzun`)],
  ['a wrong user', basic(`kimse:${password}`)],
  ['an empty pair', basic(':')],
  ['nothing after Basic', 'Basic '],
  ['another scheme', `Bearer ${Buffer.from(`${user}:${password}`).toString('base64')}`],
  ['something after the pair', `${right} x`],
])('%s is 401, stores nothing and shows nothing', async (_name, authorization) => {
  const answer = await post(url, JSON.stringify({ list: [record] }), authorization);
  expect(answer).toMatchObject({ http: 401, challenge: 'Basic realm="registry"' });
  expect(answer.text).not.toContain(user);
  expect(await scene.stored()).toEqual([]);
});

test.each([
  ['no JSON', '{'],
  ['no list', '{}'],
  ['nothing', ''],
  ['only what cannot be read', '{"list":[{}]}'],
  ['more than 1 MB', JSON.stringify({ list: [record], more: 'x'.repeat(1024 * 1024) })],
])('a body with %s is 400', async (_name, body) => {
  const { http, text } = await post(url, body);
  expect(http).toBe(400);
  expect(JSON.parse(text)).toEqual({ response: { status: { code: 400, message: 'İstek çözümlenemedi' } } });
  expect(await scene.stored()).toEqual([]);
});

test('a body of just under 1 MB is taken', async () => {
  const list = Array.from({ length: 4_000 }, (_, index) => ({ ...record, recipient: numbered(index) }));
  expect((await post(url, JSON.stringify({ list }))).http).toBe(200);
  expect(await scene.stored()).toHaveLength(4_000);
});

test('records that cannot be stored in time are answered 503, and a repeat stores them once', async () => {
  const hurried = await startServer({ user, password, answerMs: 50 });
  const body = JSON.stringify({ list: [record] });
  const blocker = await scene.db.connect();
  try {
    await blocker.query('begin');
    await blocker.query('lock table consent_records');
    expect((await post(hurried, body)).http).toBe(503);
    await blocker.query('rollback');
  } finally {
    blocker.release();
  }
  expect((await post(url, body)).http).toBe(200);
  expect(await scene.stored()).toHaveLength(1);
});

test('without user or password there is no such path', async () => {
  for (const settings of [{}, { user }, { password }]) {
    const off = await startServer(settings);
    for (const authorization of [null, basic(':'), right])
      expect((await post(off, JSON.stringify({ list: [record] }), authorization)).http).toBe(404);
  }
  expect(await scene.stored()).toEqual([]);
});

test('other methods are 404', async () => {
  expect((await fetch(url, { headers: { authorization: right } })).status).toBe(404);
});
