// Each method of the client returns a value for any answer of the registry.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { readBatchItem } from './answer.ts';
import { type ConsentRecord, createRegistryClient, type RegistryClient } from './client.ts';
import { classOf, reasonOf, registryCodes } from './codes.ts';

let server: Server;
let client: RegistryClient;

/** Issues a token, and gives the same answer to every other request. */
async function serve(answer: () => { http: number; text: string }): Promise<RegistryClient> {
  server = createServer((request, response) => {
    request.resume();
    const isToken = request.url === '/oauth2/token';
    const { http, text } = isToken ? { http: 200, text: '{"access_token":"t","expires_in":7200}' } : answer();
    response.statusCode = http;
    response.end(text);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const limits = {
    requestsPerSecond: 100_000,
    statusPerHour: 1e6,
    historyPerHour: 1e6,
    tokensPerHour: 1e6,
    answerBytesMax: 100_000,
  };
  client = createRegistryClient({ baseUrl, iysCode: 1, username: 'u', password: 'p', limits });
  return client;
}

afterEach(async () => {
  client.close();
  server.closeAllConnections();
  await new Promise(resolve => server.close(resolve));
});

const record: ConsentRecord = { recipient: '+905550000001', recipientType: 'BIREYSEL', type: 'MESAJ', status: 'ONAY' };

function calls(of: RegistryClient) {
  return [
    () => of.brands(),
    () => of.addOne(1, record),
    () => of.addBatch(1, [record]),
    () => of.batchResult(1, 'a/b?c'),
    () => of.statusOf(1, record),
    () => of.approvedOf(1, 'TACIR', 'EPOSTA', ['a@example.org']),
    () => of.changes(1, 'x&y'),
    () => of.history(1, record),
    () => of.subscription(),
    () => of.registerPush(1, []),
  ];
}

const kinds = ['ok', 'refused', 'later', 'unreachable', 'unauthorised'];

test('garbage answers never throw and always have a kind', async () => {
  let answer = { http: 200, text: '' };
  const of = await serve(() => answer);
  const word = fc.constantFrom(
    'errors',
    'code:',
    'code',
    'list',
    'after',
    'index',
    'status',
    'success',
    'H178',
    'error',
    'requestId',
  );
  const body = fc.oneof(
    fc.json({ maxDepth: 3 }),
    fc.string(),
    fc.array(fc.dictionary(word, fc.oneof(word, fc.integer(), fc.constant(null)))).map(value => JSON.stringify(value)),
    fc.dictionary(word, fc.oneof(word, fc.array(fc.dictionary(word, word)))).map(value => JSON.stringify(value)),
  );
  const http = fc.constantFrom(200, 200, 202, 204, 302, 400, 403, 404, 422, 429, 500, 503);
  await fc.assert(
    fc.asyncProperty(http, body, fc.nat(9), async (status, text, which) => {
      answer = { http: status, text };
      const outcome = await calls(of)[which]?.();
      expect(kinds).toContain(outcome?.kind);
    }),
    { numRuns: 300 },
  );
});

test('an answer over the size limit is given up', async () => {
  const of = await serve(() => ({ http: 200, text: `["${'x'.repeat(200_000)}"]` }));
  expect(await of.brands()).toMatchObject({ kind: 'unreachable', why: 'answer over 100000 bytes' });
});

test('a redirect is not followed', async () => {
  const of = await serve(() => ({ http: 302, text: '' }));
  expect(await of.brands()).toMatchObject({ kind: 'unreachable', why: 'redirect 302' });
});

test('an error page without a code is a fault of our call, an unknown code one of the record, unless it is theirs', async () => {
  let answer = { http: 404, text: '<html>' };
  const of = await serve(() => answer);
  expect(await of.addOne(1, record)).toMatchObject({ kind: 'refused', scope: 'request', code: 'HTTP 404' });
  answer = { http: 422, text: '{"errors":[{"code":"H999"}]}' };
  expect(await of.addOne(1, record)).toMatchObject({ kind: 'refused', scope: 'record', code: 'H999' });
  answer = { http: 500, text: '{"errors":[{"code":"H999"}]}' };
  expect(await of.addOne(1, record)).toMatchObject({ kind: 'later', code: 'H999' });
});

test('entries of a pull that cannot be read are counted and the others kept', async () => {
  const good = { ...record, source: 'IYS_CM', consentDate: '2026-03-11 10:00:00', creationDate: '2026-03-11 10:00:01' };
  const list = [good, { ...good, status: 'RED' }, null, 7];
  const of = await serve(() => ({ http: 200, text: JSON.stringify({ after: 'c1', list }) }));
  const changes = await of.changes(1, null);
  expect(changes).toMatchObject({ kind: 'ok', after: 'c1', unreadable: 3, list: [{ source: 'IYS_CM' }] });
});

test('a batch entry is read in every spelling, and the registry’s own failure asks for another try', async () => {
  await serve(() => ({ http: 200, text: '' }));
  expect(readBatchItem({ index: 2, status: 'enqueue', subrequestId: 'x' })).toEqual({ index: 2, state: 'waiting' });
  const failure = { index: 1, status: 'failure', error: { 'code:': 'H175' } };
  expect(readBatchItem(failure)).toMatchObject({ state: 'refused', code: 'H175' });
  expect(readBatchItem({ index: 1, status: 'failure', error: { code: 'H103' } })).toEqual({
    index: 1,
    state: 'again',
    code: 'H103',
  });
  expect(readBatchItem({ index: 1, status: 'success' })).toBeNull();
});

test('every code has a Turkish and an English sentence and keeps its class whatever the HTTP status', async () => {
  await serve(() => ({ http: 200, text: '' }));
  for (const [code, row] of Object.entries(registryCodes)) {
    expect(reasonOf(code)).toMatch(/\.$/);
    expect(reasonOf(code, 'en')).toMatch(/\.$/);
    expect(classOf(code, 200)).toBe(row.class);
  }
});
