// The listener over TLS, against real TLS clients: what it serves, whom it refuses, and certificates that change.
import { once } from 'node:events';
import { renameSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { connect as connectPlain, type Socket } from 'node:net';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, expect, test } from 'vitest';
import { freshText, numbers, order, sender } from '../../test/support/customers/samples.ts';
import { pathOf, testApp } from '../../test/support/program/app.ts';
import { temporaryFolder } from '../../test/support/run/temporary-folder.ts';
import { silentLog } from '../log.ts';
import { selfSigned } from '../smpp/self-signed.ts';
import { openTlsListener } from './tls-listener.ts';

const app = await testApp();
const account = await app.open({ senders: [sender], sms: 100_000 });
const folder = temporaryFolder();
const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
const first = selfSigned();
place(first);
const errors: string[] = [];
const log = { ...silentLog, error: (_: object, event: string) => void errors.push(event) };
const options = { host: '127.0.0.1', port: 0, files, log, lookEveryMs: 10 };
const listener = await openTlsListener(app.server, options);
const port = listener.port()!;
afterAll(async () => {
  await listener.close();
  await app.close();
});

/** As renewal does it: a new file takes the name of the old one. */
function place({ cert, key }: { cert: string; key: string }): void {
  for (const [path, text] of [
    [files.key, key],
    [files.cert, cert],
  ] as const) {
    writeFileSync(`${path}.new`, text);
    renameSync(`${path}.new`, path);
  }
}

async function post(
  path: string,
  body: string,
  ca = first.cert,
  agent?: Agent,
): Promise<{ http: number; text: string }> {
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const asked = request({ host: '127.0.0.1', port, path, method: 'POST', headers, ca, agent });
  asked.end(body);
  const [answer] = await once(asked, 'response');
  return { http: answer.statusCode, text: await readText(answer) };
}

const callOf = (members: object) =>
  JSON.stringify({ request: { authentication: { key: account.key, hash: account.hash }, ...members } });

/** What the peer says until it closes the connection. */
async function saidBy(socket: Socket, text: string): Promise<string> {
  socket.on('error', () => {});
  socket.end(text);
  return await readText(socket).catch(() => '');
}

function dial(): Promise<TLSSocket> {
  const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false });
  return once(socket, 'secureConnect').then(() => socket);
}

async function shownCertificate(): Promise<string> {
  const socket = await dial();
  const { raw } = socket.getPeerCertificate();
  socket.destroy();
  return raw.toString('base64');
}

const bodyOf = (pem: string) => pem.replace(/-----[^-]+-----|\s/g, '');

test('a TLS client that checks the certificate gets what the plain listener serves, 50,000 recipients in one body too', async () => {
  expect(await post(pathOf('get-balance'), callOf({}))).toMatchObject({ http: 200 });
  const large = callOf({ order: order({}, freshText(), numbers(50_000)) });
  expect(large.length).toBeGreaterThan(500_000);
  expect(await post(pathOf('send-sms'), large)).toMatchObject({ http: 200 });
  expect(await post('/nowhere', '{}')).toMatchObject({ http: 404, text: expect.stringContaining('"code":404') });
});

test('every answer over TLS makes browsers use TLS alone, and none without TLS does', async () => {
  for (const path of ['/', '/panel/', '/nowhere', '/health/live', pathOf('get-balance')]) {
    const over = await saidBy(await dial(), `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(over.toLowerCase(), path).toContain('strict-transport-security: max-age=');
  }
  const plain = await app.server.inject({ method: 'GET', url: '/' });
  expect(plain.headers['strict-transport-security']).toBeUndefined();
});

test('requests that are none are answered in the envelope over TLS as they are without', async () => {
  expect(await saidBy(await dial(), 'NONSENSE\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 [\s\S]*"code":400/);
  expect(await saidBy(await dial(), 'POST /v1/get-balance HTTP/1.1\r\n\r\n')).toMatch(
    /^HTTP\/1\.1 400 [\s\S]*<code>400</,
  );
});

test('who speaks no TLS is cut off, and nobody else notices', async () => {
  const kept = new Agent({ keepAlive: true, maxSockets: 1 });
  await post(pathOf('get-balance'), callOf({}), first.cert, kept);
  expect(await saidBy(connectPlain(port, '127.0.0.1'), 'GET / HTTP/1.1\r\nHost: x\r\n\r\n')).not.toContain('HTTP/1.1');
  await saidBy(connectPlain(port, '127.0.0.1'), '\x16\x03\x01\xff\xff');
  expect(await post(pathOf('get-balance'), callOf({}), first.cert, kept)).toMatchObject({ http: 200 });
  kept.destroy();
});

test('a renewed certificate is shown without a restart, connections that are open go on, and a pair that does not fit changes nothing', async () => {
  const kept = new Agent({ keepAlive: true, maxSockets: 1 });
  await post(pathOf('get-balance'), callOf({}), first.cert, kept);
  const [second, third] = [selfSigned(), selfSigned()];
  place(second);
  await expect.poll(shownCertificate).toBe(bodyOf(second.cert));
  expect(await post(pathOf('get-balance'), callOf({}), first.cert, kept)).toMatchObject({ http: 200 });
  kept.destroy();
  expect(await post(pathOf('get-balance'), callOf({}), second.cert)).toMatchObject({ http: 200 });
  // The key of one and the certificate of the other, then half a file.
  errors.length = 0;
  place({ cert: third.cert, key: second.key });
  await expect.poll(() => errors.length).toBeGreaterThan(0);
  expect(await shownCertificate()).toBe(bodyOf(second.cert));
  errors.length = 0;
  place({ cert: third.cert.slice(0, 100), key: third.key });
  await expect.poll(() => errors.length).toBeGreaterThan(0);
  expect(await shownCertificate()).toBe(bodyOf(second.cert));
  place(third);
  await expect.poll(shownCertificate).toBe(bodyOf(third.cert));
});

test('closing ends although a client keeps its connection, and the port is free afterwards', async () => {
  const other = await openTlsListener(app.server, options);
  const socket = connect({ host: '127.0.0.1', port: other.port()!, rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const gone = once(socket.resume(), 'close');
  const at = other.port();
  await other.close();
  await gone;
  const again = await openTlsListener(app.server, { ...options, port: at! });
  await again.close();
});
