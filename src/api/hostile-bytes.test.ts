// Bytes that are not a request: broken JSON, broken HTTP, endless bodies, callers that vanish.
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { expectRefusal, expectSuccess, texts } from '../../test/support/customers/answers.ts';
import { freshText, number, numbers, order, sender } from '../../test/support/customers/samples.ts';
import { pathOf, testApp } from '../../test/support/program/app.ts';
import { operations } from './operations.ts';

// The runtime warns once about too many listeners on a connection, so the test listens for warnings from the beginning.
const warnings: Error[] = [];
const noteWarning = (warning: Error) => void warnings.push(warning);
process.on('warning', noteWarning);

const app = await testApp();
afterAll(async () => {
  process.off('warning', noteWarning);
  await app.close();
});
const account = await app.open({ senders: [sender], sms: 10_000 });
const { key, hash } = account;
const authentication = JSON.stringify({ key, hash });
const send = (inside: string) =>
  app.client.post(pathOf('send-sms'), `{"request":{"authentication":${authentication},${inside}}}`);

const zeros = Buffer.alloc(64 * 1024);
const hundredMegabytes = () => Readable.from(Array<Buffer>(1_600).fill(zeros));

async function orderCount(): Promise<number> {
  return (await app.db.query('select count(*)::int as n from orders')).rows[0].n;
}

/** Returns the server's raw answer to these bytes. */
async function speak(bytes: string | Buffer, staysOpen = false): Promise<string> {
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
  socket.on('error', () => {});
  if (staysOpen) socket.write(bytes);
  else socket.end(bytes);
  return readText(socket);
}

test('random bytes at any operation are 400', async () => {
  const paths = fc.constantFrom(...operations.map(one => pathOf(one.name)));
  await fc.assert(
    fc.asyncProperty(paths, fc.uint8Array({ maxLength: 500 }), async (path, bytes) => {
      expectRefusal(await app.client.post(path, Buffer.from(bytes)), 400);
    }),
    { numRuns: 150 },
  );
});

test('a valid request cut short anywhere is 400', async () => {
  const whole = Buffer.from(
    JSON.stringify({ request: { authentication: { key, hash }, order: order({}, 'Şifre 😀') } }),
  );
  const before = await orderCount();
  for (let length = 0; length < whole.length; length += 3)
    expectRefusal(await app.client.post(pathOf('send-sms'), whole.subarray(0, length)), 400);
  expect(await orderCount()).toBe(before);
});

test('any path and any method get an envelope with 400 or 404', async () => {
  const segment = fc.string({ maxLength: 12, unit: 'binary' }).map(text => encodeURIComponent(text));
  const path = fc.array(fc.oneof(segment, fc.constantFrom('v1', 'json', 'send-sms', '..', '%00', '%zz', '')), {
    maxLength: 5,
  });
  const method = fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND', 'SEARCH');
  await fc.assert(
    fc.asyncProperty(path, method, async (parts, verb) => {
      const answer = await speak(`${verb} /${parts.join('/')}/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 40[04] /);
      const [, code] =
        /\r\n\r\n(?:\{"response":\{"status":\{"code":|<\?xml [^>]*>\s*<response>\s*<status>\s*<code>)(\d+)/.exec(
          answer,
        )!;
      expect(code).toBe(answer.slice(9, 12));
    }),
    { numRuns: 150 },
  );
});

test('a path that is unknown is 404 also with a large body', async () => {
  expectRefusal(await app.client.send('/v1/none/json', { body: Readable.from([zeros, zeros]) }), 404);
});

test('bytes that are no HTTP get the envelope of 400', async () => {
  const post = 'POST /v1/send-sms/json HTTP/1.1\r\nHost: x\r\n';
  for (const bytes of [
    'HELLO\r\n\r\n',
    Buffer.from('16030100a5010000a10303', 'hex'),
    `${post}Content-Length: x\r\n\r\n`,
    `${post}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
    `${post}Bad Header: 1\r\n\r\n`,
    `${post}X: ${'x'.repeat(100_000)}\r\n\r\n`,
  ]) {
    const answer = await speak(bytes);
    expect(answer).toMatch(/^HTTP\/1\.1 400 Istek cozumlenemedi\r\n/);
    expect(answer).toContain(JSON.stringify({ response: { status: { code: 400, message: texts[400] } } }));
  }
});

test('an address that is too long, or a header that is none, is 400 in the form of its path', async () => {
  for (const bytes of [
    `GET /v1/send-sms/get/?text=${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
    'POST //V1/send-sms HTTP/1.1\r\nHost: x\r\nContent Type text/xml\r\n\r\n',
  ]) {
    const answer = await speak(bytes);
    expect(answer).toMatch(/^HTTP\/1\.1 400 Istek cozumlenemedi\r\n/);
    expect(answer).toContain(`\n    <code>400</code>\n    <message>${texts[400]}</message>\n`);
  }
});

test('what Node would refuse by itself gets the envelope: no Host, an unknown expectation, CONNECT', async () => {
  const envelope = (code: 400 | 404) => JSON.stringify({ response: { status: { code, message: texts[code] } } });
  for (const path of ['/v1/get-balance/json', '/health/live', '/panel/', '/nowhere']) {
    const answer = await speak(`POST ${path} HTTP/1.1\r\nContent-Length: 0\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain(envelope(400));
  }
  expect(await speak('POST /v1/get-balance HTTP/1.1\r\nContent-Length: 0\r\n\r\n')).toContain('<code>400</code>');
  expect(await speak('GET /health/live HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
  const expecting = 'POST /v1/get-balance/json HTTP/1.1\r\nHost: x\r\nExpect: 200-ok\r\nContent-Length: 0\r\n\r\n';
  expect(await speak(expecting)).toContain(envelope(400));
  expect(await speak('CONNECT other:443 HTTP/1.1\r\nHost: other:443\r\n\r\n')).toContain(envelope(404));
});

test('broken bytes behind a good request do not take its answer away', async () => {
  const body = `{"request":{"authentication":${authentication}}}`;
  const good = `POST ${pathOf('get-balance')} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const answer = await speak(`${good}${good}HELLO\r\n\r\n`, true);
  expect([...answer.matchAll(/HTTP\/1\.1 (\d+) /g)].map(one => one[1])).toEqual(['200', '200', '400']);
});

test('a body of 100 MB is 400, with its length announced or not, while others are served', async () => {
  const bytes = 1_600 * zeros.length;
  const announced = app.client.send(pathOf('send-sms'), {
    body: hundredMegabytes(),
    headers: { 'content-length': bytes },
  });
  const unannounced = app.client.send(pathOf('iys-register'), { body: hundredMegabytes() });
  expectSuccess(await account.call('get-balance'), 'balance');
  expectRefusal(await announced, 400);
  expectRefusal(await unannounced, 400);
});

test('a text of a million characters is 453 and 50,001 recipients are 452', async () => {
  expectRefusal(await account.call('send-sms', { order: order({}, 'ş'.repeat(1_000_000)) }), 453);
  expectRefusal(await account.call('send-sms', { order: order({}, freshText(), numbers(50_001)) }), 452);
});

test('of a member given twice the last one counts', async () => {
  const reply = await send(`"order":{"sender":"BASKA"},"order":${JSON.stringify(order())}`);
  expectSuccess(reply, 'order');
  expectRefusal(await send(`"order":${JSON.stringify(order())},"order":null`), 400);
});

test('nothing is read from a prototype', async () => {
  const inside = `"authentication":${authentication},"order":${JSON.stringify(order())}`;
  expectRefusal(await app.client.post(pathOf('send-sms'), `{"__proto__":{"request":{${inside}}}}`), 400);
  expectRefusal(await app.client.post(pathOf('send-sms'), `{"request":{"__proto__":{${inside}}}}`), 401);
  expectRefusal(await send(`"__proto__":{"order":${JSON.stringify(order())}}`), 400);
  expectRefusal(await send(`"order":{"__proto__":${JSON.stringify(order())}}`), 450);
});

test('nesting beyond 12 levels is 400 wherever it stands', async () => {
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  expectSuccess(await send(`"x":${nested(10)},"order":${JSON.stringify(order())}`), 'order');
  expectRefusal(await send(`"x":${nested(11)},"order":${JSON.stringify(order())}`), 400);
  const beside = `{"request":{"authentication":${authentication}},"x":${nested(100_000)}}`;
  expectRefusal(await app.client.post(pathOf('get-balance'), beside), 400);
});

test('lone surrogates and NUL characters of a text are dropped, the rest is sent', async () => {
  const text = freshText();
  const reply = await send(
    `"order":{"sender":"${sender}","message":{"text":"\\ud800${text}\\u0000","receipents":{"number":["${number()}"]}}}`,
  );
  const { rows } = await app.db.query('select text from order_texts where order_id = $1', [reply.response.order!.id]);
  expect(rows).toEqual([{ text }]);
});

test('a packed body is 400, because nothing was said of packing', async () => {
  const headers = { 'content-encoding': 'gzip' };
  expectRefusal(await app.client.post(pathOf('get-balance'), Buffer.from([0x1f, 0x8b, 8, 0]), headers), 400);
});

test('callers that vanish in the middle of a large body leave room for the next', async () => {
  for (let i = 0; i < 6; i++) {
    const call = request(new URL(pathOf('send-sms'), app.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': 20_000_000 },
    });
    call.on('error', () => {});
    call.write(zeros);
    await once(call, 'socket');
    call.destroy();
  }
  expectSuccess(await account.call('send-sms', { order: order({}, freshText(), numbers(9_000)) }), 'order');
});

test('who asks a thousand times over one connection without reading is answered a few and cut, and others are served', async () => {
  const asked = (count: number) => 'GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(count);
  const codes = async (count: number) => (await speak(asked(count), true)).match(/(?<=HTTP\/1\.1 )\d+/g);
  expect(await codes(100)).toEqual([...Array(32).fill('200'), '503']);
  const silent = connect(Number(new URL(app.url).port), '127.0.0.1');
  const [served] = await once(app.server.server, 'connection');
  silent.on('error', () => {}).pause();
  silent.write(asked(5_000));
  expectSuccess(await account.call('get-balance'), 'balance');
  await expect.poll(() => served.writableLength).toBeLessThan(10_000_000);
  silent.destroy();
});

test('a few requests sent together are all answered, in their order', async () => {
  const one = (path: string) => `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n`;
  const all = ['/v1/none/json', '/v1/get-balance/json', '/v1/nowhere/json', '/v1/get-balance/json'].map(one).join('');
  expect((await speak(all)).match(/(?<=HTTP\/1\.1 )\d+/g)).toEqual(['404', '400', '404', '400']);
});

test('connections that stay open for many requests gather no listeners', async () => {
  for (let i = 0; i < 20; i++) await account.call('get-balance');
  expect(warnings).toEqual([]);
});

test('nothing of all this broke an invariant or was a fault of the server', async () => {
  expect(await app.audit()).toEqual({ ok: true, findings: [] });
  expect(app.faults).toEqual([]);
});
