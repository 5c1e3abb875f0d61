// What webhooks and carriers over HTTP rely on alike; their own bounds are in src/webhooks/post.test.ts and src/sending/http/hostile.test.ts.
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { HttpClient, type HttpClientOptions } from './http-client.ts';

const ending: (() => void)[] = [];
afterEach(() => {
  for (const end of ending.splice(0)) end();
});

/** A server on 127.0.0.1 alone, and how many connections and requests it has seen. */
async function served(listener: RequestListener = (_, response) => response.end('ok')) {
  const seen = { connections: 0, requests: 0, port: 0 };
  const server = createServer((request, response) => {
    seen.requests++;
    listener(request, response);
  });
  server.on('connection', () => seen.connections++);
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  ending.push(() => {
    server.closeAllConnections();
    server.close();
  });
  seen.port = (server.address() as AddressInfo).port;
  return seen;
}

function clientOf(url: string, options: Partial<HttpClientOptions> = {}): HttpClient {
  const client = new HttpClient({ url, allowPrivate: true, timeoutMs: 10_000, agent: { maxSockets: 1 }, ...options });
  ending.push(() => client.close());
  return client;
}

const request = { method: 'POST', headers: {}, body: 'a' };

test('a request that may no longer be sent is not written', async () => {
  const seen = await served();
  const exchange = await clientOf(`http://127.0.0.1:${seen.port}`).ask(request, () => false);
  expect(exchange).toMatchObject({
    isWritten: false,
    status: 0,
    failure: { text: expect.stringContaining('no longer') },
  });
  expect(seen.requests).toBe(0);
});

test('a server is reached without a request', async () => {
  const seen = await served();
  await clientOf(`http://127.0.0.1:${seen.port}`).reach();
  await expect.poll(() => seen.connections).toBe(1);
  expect(seen.requests).toBe(0);
});

test('a request in flight when the client is closed may have arrived', async () => {
  const seen = await served(() => client.close());
  const client = clientOf(`http://127.0.0.1:${seen.port}`);
  expect(await client.ask(request)).toMatchObject({ isWritten: true, status: 0 });
});

test('an address that cannot be connected to makes room for the next one', async () => {
  const seen = await served();
  const resolve = async () => ['127.0.0.2', '127.0.0.1'];
  const client = clientOf(`http://receiver.example:${seen.port}/`, { resolve });
  expect(await client.ask(request)).toMatchObject({ isWritten: false, failure: { reason: 'refused' } });
  expect(await client.ask(request)).toMatchObject({ failure: null, status: 200 });
});

test('an answer that is too long fails with its status and its beginning', async () => {
  const seen = await served((_, response) => response.end('x'.repeat(200_000)));
  const { failure, status, body } = await clientOf(`http://127.0.0.1:${seen.port}`).ask(request);
  expect([failure?.reason, status, body.toString().slice(0, 5)]).toEqual(['long', 200, 'xxxxx']);
  expect(body.length).toBeLessThan(200_000);
});
