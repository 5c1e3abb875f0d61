// Behaviour that only the simulator shows: the first forms of adding, malformed bodies, the control API.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { toTurkeyTime } from '../../src/time/clock.ts';
import { type Registry, startRegistry } from './main.ts';

let registry: Registry;
let time = Date.UTC(2026, 2, 11, 9, 0, 0);
let token: string;
let receivers: Server[] = [];

beforeEach(async () => {
  time = Date.UTC(2026, 2, 11, 9, 0, 0);
  registry = await startRegistry({ port: 0, now: () => time, ratePerSecond: 0, resultDelayMs: 1_000 });
  const answer = await ask('POST', '/oauth2/token', { username: 'u', password: 'p', grant_type: 'password' });
  token = answer.body.access_token;
});

afterEach(async () => {
  await registry.stop();
  for (const server of receivers) {
    server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
  }
  receivers = [];
});

type Body = {
  [text in 'access_token' | 'refresh_token' | 'transactionId' | 'requestId' | 'after' | 'error']: string;
} & { errors: { code: string }[]; list: { status: string }[]; resultDelayMs: number };
type Reply = { http: number; body: Body };

async function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const authorization = { authorization: `Bearer ${token}` };
  const answer = await fetch(registry.url + path, { method, body: text, headers: { ...authorization, ...headers } });
  const got = await answer.text();
  return { http: answer.status, body: (got === '' ? null : JSON.parse(got)) as Body };
}

const consents = '/sps/600/brands/7001/consents';
const code = (reply: Reply) => [reply.http, reply.body.errors[0]?.code];
const record = (change: object = {}) => ({
  recipient: '+905550000001',
  recipientType: 'BIREYSEL',
  type: 'MESAJ',
  source: 'HS_WEB',
  status: 'ONAY',
  consentDate: toTurkeyTime(new Date(time - 60_000)),
  ...change,
});

test('the first form judges an unchanged repeat like any other record, the second recognises it', async () => {
  const first = await ask('POST', consents, record());
  expect(first.body.transactionId).toMatch(/^[0-9a-f]{64}$/);
  expect(code(await ask('POST', consents, record()))).toEqual([400, 'H178']);
  expect((await ask('POST', `/v2${consents}`, record())).body).toEqual(first.body);
  const batch = await ask('POST', `${consents}/request`, [record()]);
  expect(batch.http).toBe(202);
  time += 1_000;
  const result = await ask('GET', `${consents}/request/${batch.body.requestId}`);
  expect(result.body).toMatchObject([{ index: 0, status: 'failure', error: { code: 'H178' } }]);
});

test('a consent on top of a consent with a later date is accepted', async () => {
  await ask('POST', consents, record());
  time += 60_000;
  expect((await ask('POST', consents, record())).http).toBe(200);
});

test('two movements of one address within a second share their transactionId and both come by pull', async () => {
  const one = await ask('POST', consents, record());
  const two = await ask('POST', consents, record({ status: 'RET', consentDate: toTurkeyTime(new Date(time)) }));
  expect(two.body.transactionId).toBe(one.body.transactionId);
  const page = await ask('GET', `${consents}/changes?source=HS&limit=1`);
  const next = await ask('GET', `${consents}/changes?source=HS&limit=1&after=${page.body.after}`);
  expect([page.body.list[0]?.status, next.body.list[0]?.status]).toEqual(['ONAY', 'RET']);
  expect((await ask('GET', `${consents}/changes?source=HS&after=${next.body.after}`)).http).toBe(204);
});

test('batches over 1,000 are refused with H091, in the second form with H125', async () => {
  const many = Array.from({ length: 1_001 }, () => record());
  expect(code(await ask('POST', `${consents}/request`, many))).toEqual([422, 'H091']);
  expect(code(await ask('POST', `/v2${consents}/request`, many))).toEqual([422, 'H125']);
});

const malformed: [string, string, string, unknown, string, number][] = [
  ['an add that is no JSON', 'POST', consents, '{', 'H085', 400],
  ['a batch that is no list', 'POST', `${consents}/request`, {}, 'H092', 400],
  ['a status query that is no JSON', 'POST', `${consents}/status`, '[', 'H097', 400],
  ['a multi query that is no JSON', 'POST', `${consents}/BIREYSEL/status/MESAJ`, '[', 'H014', 400],
  ['a multi query without recipients', 'POST', `${consents}/BIREYSEL/status/MESAJ`, {}, 'H168', 422],
  ['an empty multi query', 'POST', `${consents}/BIREYSEL/status/MESAJ`, { recipients: [] }, 'H164', 422],
  [
    'a multi query of the wrong kind',
    'POST',
    `${consents}/BIREYSEL/status/EPOSTA`,
    { recipients: ['+905550000001'] },
    'H464',
    422,
  ],
  [
    'a multi query with doubles',
    'POST',
    `${consents}/BIREYSEL/status/MESAJ`,
    { recipients: ['+905550000001', '+905550000001'] },
    'H193',
    422,
  ],
  ['an unknown field', 'POST', consents, { ...record(), renk: 'mavi' }, 'H118', 422],
  ['null where a field is needed', 'POST', consents, { ...record(), source: null }, 'H113', 422],
  ['a date of another form', 'POST', consents, { ...record(), consentDate: '11.03.2026 10:00' }, 'H158', 422],
  ['a date that does not exist', 'POST', consents, { ...record(), consentDate: '2026-02-31 10:00:00' }, 'H157', 422],
  ['a recipient without a type', 'POST', consents, { ...record(), type: '', recipient: 'x' }, 'H111', 422],
  [
    'a number too long in a query',
    'POST',
    `${consents}/status`,
    { ...record(), recipient: '+9055500000000000' },
    'H166',
    422,
  ],
  ['a pull of an unknown source', 'GET', `${consents}/changes?source=XX`, undefined, 'H506', 422],
  ['a pull of too many', 'GET', `${consents}/changes?limit=1001`, undefined, 'H507', 422],
  ['a history of too many', 'POST', `${consents}/history?limit=101`, record(), 'H186', 422],
  ['a brand that is no number', 'POST', '/sps/600/brands/abc/consents', record(), 'H191', 422],
  ['a provider that is no number', 'GET', '/sps/abc/brands', undefined, 'H190', 422],
];

test.each(malformed)('%s is refused with its own code', async (_name, method, path, body, wanted, http) => {
  expect(code(await ask(method, path, body))).toEqual([http, wanted]);
});

test('a token is needed, and forms are taken as well as JSON', async () => {
  expect(code(await ask('GET', '/sps/600/brands', undefined, { authorization: '' }))).toEqual([401, 'H351']);
  const form = 'grant_type=password&username=u&password=p';
  expect(await ask('POST', '/oauth2/token', form)).toMatchObject({
    http: 200,
    body: { expires_in: 7200, token_type: 'bearer' },
  });
  expect(await ask('POST', '/oauth2/token', '{}')).toMatchObject({ http: 400, body: { error: 'invalid_request' } });
});

test('a refresh token is good once', async () => {
  const login = await ask('POST', '/oauth2/token', { username: 'u', password: 'p', grant_type: 'password' });
  const refresh = { grant_type: 'refresh_token', refresh_token: login.body.refresh_token };
  expect((await ask('POST', '/oauth2/token', refresh)).http).toBe(200);
  expect(await ask('POST', '/oauth2/token', refresh)).toMatchObject({ http: 400, body: { error: 'invalid_grant' } });
});

test('the eleventh token of an hour is refused, and asking again starts the hour anew', async () => {
  const login = { username: 'u', password: 'p', grant_type: 'password' };
  for (let i = 0; i < 9; i++) expect((await ask('POST', '/oauth2/token', login)).http).toBe(200);
  expect(code(await ask('POST', '/oauth2/token', login))).toEqual([429, 'H084']);
  time += 3_599_000;
  expect(code(await ask('POST', '/oauth2/token', login))).toEqual([429, 'H084']);
  time += 3_599_000;
  expect(code(await ask('POST', '/oauth2/token', login))).toEqual([429, 'H084']);
  time += 3_600_000;
  expect((await ask('POST', '/oauth2/token', login)).http).toBe(200);
});

test('the eleventh request of a second is refused with H124', async () => {
  await ask('POST', '/control/settings', { ratePerSecond: 10 });
  for (let i = 0; i < 10; i++) expect((await ask('GET', '/sps/600/brands')).http).toBe(200);
  expect(code(await ask('GET', '/sps/600/brands'))).toEqual([429, 'H124']);
  time += 1_000;
  expect((await ask('GET', '/sps/600/brands')).http).toBe(200);
});

test('a citizen may refuse without any earlier record, and the control API shows it', async () => {
  const citizen = {
    brandCode: '7001',
    recipient: '905550000001',
    recipientType: 'BIREYSEL',
    type: 'MESAJ',
    status: 'RET',
  };
  expect((await ask('POST', '/control/citizen', citizen)).http).toBe(200);
  const held = await ask('GET', '/control/consents?brandCode=7001');
  const shown = { brandCode: 7001, recipient: '+905550000001', status: 'RET', source: 'IYS_WEB', movements: 1 };
  expect(held.body).toMatchObject([shown]);
  expect((await ask('GET', '/control/consents?brandCode=7002')).body).toEqual([]);
});

test('wrong requests to the control API change nothing and say what is known', async () => {
  expect((await ask('POST', '/control/citizen', { brandCode: 1, recipient: 'x', status: 'RET' })).http).toBe(422);
  expect((await ask('POST', '/control/settings', { resultDelayMs: 5, oops: 1 })).http).toBe(422);
  expect((await ask('GET', '/control/settings')).body.resultDelayMs).toBe(1_000);
  expect((await ask('POST', '/control/fault', { kind: 'earthquake' })).body.error).toContain('accept-then-drop');
  expect((await ask('GET', '/control/nothing')).http).toBe(404);
});

test('a reset forgets everything but the settings', async () => {
  await ask('POST', consents, record());
  await ask('POST', '/control/fault', { kind: 'down', seconds: 60 });
  await ask('POST', '/control/reset');
  expect((await ask('GET', '/control/consents')).body).toEqual([]);
  expect((await ask('GET', '/control/stats')).body).toMatchObject({ requests: {}, records: 0, movements: 0 });
  expect((await ask('GET', '/control/settings')).body.resultDelayMs).toBe(1_000);
  expect((await ask('GET', '/sps/600/brands')).http).toBe(200);
});

test('a pull cursor from before a restart goes on from its second and loses nothing', async () => {
  const citizen = (recipient: string) => ask('POST', '/control/citizen', { brandCode: 7001, recipient, status: 'RET' });
  await citizen('+905550000001');
  const { after } = (await ask('GET', `${consents}/changes`)).body;
  await ask('POST', '/control/reset');
  time += 5_000;
  await citizen('+905550000002');
  const next = await ask('GET', `${consents}/changes?after=${after}`);
  expect(next.body.list).toMatchObject([{ recipient: '+905550000002' }]);
});

async function receiver(status: () => number): Promise<{ url: string; got: { list: object[]; auth: string }[] }> {
  const got: { list: object[]; auth: string }[] = [];
  const server = createServer(async (request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    got.push({ list: JSON.parse(Buffer.concat(chunks).toString()).list, auth: request.headers.authorization ?? '' });
    response.statusCode = status();
    response.end();
  });
  receivers.push(server);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, got };
}

test('push posts a test record first and then, in order, what citizens decide', async () => {
  const { url, got } = await receiver(() => 200);
  const connection = { url, type: 'MESAJ', username: 'iys', password: 'gizli' };
  const push = '/sps/600/brands/7001/push';
  expect((await ask('POST', `${push}/registration`, { connection: [connection] })).http).toBe(200);
  expect(got[0]?.list).toMatchObject([{ recipient: 'pushtest@iys.org.tr' }]);
  for (const status of ['ONAY', 'RET', 'ONAY'])
    await ask('POST', '/control/citizen', { brandCode: 7001, recipient: '+905550000001', status });
  await vi.waitFor(() => expect(got).toHaveLength(4));
  expect(got.slice(1).map(one => (one.list[0] as { status: string }).status)).toEqual(['ONAY', 'RET', 'ONAY']);
  expect(new Set(got.map(one => one.auth))).toEqual(new Set([`Basic ${Buffer.from('iys:gizli').toString('base64')}`]));
  expect((await ask('GET', `${push}/registration`)).body).toMatchObject([{ url, type: 'MESAJ' }]);
  expect((await ask('POST', `${push}/unregistration`, connection)).http).toBe(200);
  expect((await ask('GET', `${push}/registration`)).body).toEqual([]);
});

test('a push address that refuses or is not https, where that is demanded, is not registered', async () => {
  const { url } = await receiver(() => 401);
  const push = '/sps/600/brands/7001/push/registration';
  const connection = [{ url, type: 'MESAJ', username: 'iys', password: 'gizli' }];
  expect(code(await ask('POST', push, { connection }))).toEqual([422, 'H530']);
  await ask('POST', '/control/settings', { pushHttpsOnly: 1 });
  expect(code(await ask('POST', push, { connection }))).toEqual([422, 'H531']);
});

test('only loopback is listened on', async () => {
  await expect(startRegistry({ port: 0, host: '0.0.0.0' })).rejects.toThrow('loopback only');
});
