// Plain requests on bare sockets: answered as Node's server answers them, and everything else left to it.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { pathOf, testApp } from '../../test/support/app.ts';
import { freshText, numbers, order, sender } from '../../test/support/samples.ts';
import { readPlainRequest } from './plain-request.ts';

const app = await testApp();
afterAll(() => app.close());
const account = await app.open({ senders: [sender], sms: 1_000 });
const { key, hash } = account;

/** Requests that came to Node's server. */
let passedOn = 0;
app.server.server.on('request', () => {
  passedOn++;
});

function plain(operation: string, members: object, more = '', who = { key, hash }): string {
  const body = JSON.stringify({ request: { authentication: who, ...members } });
  return `POST ${pathOf(operation)} HTTP/1.1\r\nHost: x\r\ncontent-type: application/json\r\n${more}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** Each of them twice, and Node's server reads it. */
const odd = 'x-twice: 1\r\nx-twice: 1\r\n';
const send = (more = '') => plain('send-sms', { order: order({}, freshText(), numbers(1)) }, more);

function open(): Socket {
  return connect((app.server.server.address() as AddressInfo).port);
}

/** What a connection answers to these packets, until it ends; our own end is the last of them. */
async function exchange(...packets: (string | Buffer)[]): Promise<string> {
  const socket = open().setNoDelay();
  const all = readText(socket);
  for (const packet of packets) {
    socket.write(packet);
    await new Promise(setImmediate);
  }
  return all;
}

const comparable = (answer: string) => answer.replace(/Date: [^\r]+/, 'Date: …').replace(/"\d{9}"/g, '"…"');
const last = 'Connection: keep-alive, close\r\n';

/** The answer to one request, on a connection that stays open behind it. */
async function answerTo(request: string): Promise<string> {
  const socket = open();
  socket.write(request);
  let got = '';
  for await (const part of socket) {
    got += part;
    const length = /content-length: (\d+)/i.exec(got)?.[1];
    const head = got.indexOf('\r\n\r\n');
    if (head > 0 && length && Buffer.byteLength(got.slice(head + 4)) >= Number(length)) break;
  }
  socket.destroy();
  return got;
}

test("a plain request is answered to the letter as by Node's server, without it", async () => {
  const requests: [string, object, { key: string; hash: string }?][] = [
    ['get-balance', {}],
    ['get-sender', {}],
    ['send-sms', { order: order({}, 'text one', numbers(1)) }],
    ['send-sms', { order: order({ sender: 'UNKNOWN' }, freshText(), numbers(1)) }],
    ['send-sms', {}],
    ['get-balance', {}, { key, hash: 'wrong' }],
  ];
  for (const [operation, members, who] of requests) {
    const before = passedOn;
    const ours = comparable(await answerTo(plain(operation, members, '', who)));
    expect(passedOn, operation).toBe(before);
    await app.db.query('update orders set fingerprint = id');
    const nodes = comparable(await answerTo(plain(operation, members, odd, who)));
    expect(passedOn, operation).toBe(before + 1);
    expect(ours).toBe(nodes);
  }
});

test('however requests of both kinds are cut into packets, each is answered once and in order', async () => {
  for (let round = 0; round < 12; round++) {
    const bytes = Buffer.from([send(), send(), send(odd), send(), send(last)].join(''));
    const packets: Buffer[] = [];
    for (let at = 0; at < bytes.length; ) {
      const length = 1 + ((round * 7919 + at * 104_729) % (40 * (round + 1)));
      packets.push(bytes.subarray(at, at + length));
      at += length;
    }
    const answers = await exchange(...packets);
    const ids = [...answers.matchAll(/HTTP\/1.1 200 OK[^{]*\{.*?"id":"(\d+)"/g)].map(([, id]) => Number(id));
    expect(ids).toHaveLength(5);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
  }
});

test('a plain request behind another, while that is being answered, is answered after it', async () => {
  const socket = open().setNoDelay();
  const all = readText(socket);
  socket.write(send());
  await once(app.server.server, 'connection');
  socket.write(plain('get-balance', {}, last));
  expect([...(await all).matchAll(/HTTP\/1.1 (\d+)|"order"|"balance"/g)].map(([found]) => found)).toEqual([
    'HTTP/1.1 200',
    '"order"',
    'HTTP/1.1 200',
    '"balance"',
  ]);
});

test('who says no more after its request is answered; who ends in the middle of it is told 400', async () => {
  const socket = open();
  const all = readText(socket);
  socket.end(send());
  // Its end comes with its request or behind it: whichever, it is answered, and then the connection ends.
  expect(await all).toMatch(/^HTTP\/1.1 200 /);
  const half = open();
  const told = readText(half);
  half.end(send().slice(0, -5));
  expect(await told).toMatch(/^HTTP\/1.1 400 /);
});

test('connections that ask nothing end with the server', async () => {
  const other = await testApp();
  const fresh = connect((other.server.server.address() as AddressInfo).port);
  await once(fresh, 'connect');
  const ended = once(fresh, 'close');
  await other.server.close();
  await ended;
  await other.close();
});

const head = (lines: string) => `POST /v1/get-balance/json HTTP/1.1\r\n${lines}\r\n\r\n{}`;
const oddHeads = [
  'Host: x',
  'Host: x\r\nContent-Length: 1',
  'Content-Length: 2',
  'Host: \r\nContent-Length: 2',
  'Host: x\r\nContent-Length: +2',
  'Host: x\r\nContent-Length: 2, 2',
  'Host: x\r\nContent-Length: 2\r\ncontent-length: 2',
  'Host: x\r\nContent-Length: 0x2',
  'Host: x\r\nContent-Length : 2',
  'Host: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked',
  'Host: x\r\nContent-Length: 2\r\nExpect: 100-continue',
  'Host: x\r\nContent-Length: 2\r\nConnection: close',
  'Host: x\r\nContent-Length: 2\r\nUpgrade: websocket',
  'Host: x\r\nContent-Length: 2\r\n folded',
  'Host: x\nContent-Length: 2',
  'Host: x\r\nContent-Length: 2\r\nx: a\rb',
  'Host: x\r\nContent-Length: 2\r\nx: \x00',
  'Host: x\r\nContent-Length: 2\r\nx: \xff',
  'Host: x\r\nContent-Length: 2\r\n: x',
  `Host: x\r\nContent-Length: 2\r\nx: ${'x'.repeat(5_000)}`,
];

test('only the strictest form is read here', () => {
  const taken = (text: string) => readPlainRequest(Buffer.from(text, 'latin1'));
  expect(taken(head('Host: x\r\nContent-Length: 2'))).toMatchObject({ headers: { host: 'x', 'content-length': '2' } });
  expect(taken(head('Host: x\r\nContent-Length: 3'))).toBe('more');
  for (const lines of oddHeads) expect(taken(head(lines)), lines).toBeNull();
  const usual = head('Host: x\r\nContent-Length: 2');
  for (const [from, to] of [
    ['POST', 'GET'],
    ['POST ', 'POST  '],
    ['HTTP/1.1', 'HTTP/1.0'],
    ['/json', '/json?a=1'],
    ['/json', ''],
    ['get-balance', 'nothing'],
    ['{}', '{}GET / HTTP/1.1\r\n\r\n'],
  ])
    expect(taken(usual.replace(from!, to!)), to).toBeNull();
});

test("what is read here, Node's parser reads alike", async () => {
  const parsed: { url: string; headers: unknown; body: string }[] = [];
  const reference = createServer(async (message, response) => {
    parsed.push({ url: message.url!, headers: message.headers, body: await readText(message) });
    response.end();
  }).listen(0);
  await once(reference, 'listening');
  const { port } = reference.address() as AddressInfo;
  const given = head('Host: x\r\nuser-agent: a b\r\nConnection: keep-alive\r\nContent-Length: 2\r\nx-y: z');
  const bytes = '\x00\t\n\r !"(),/0129:;=?AZaz{}\x7f\xff'.split('').concat('\r\n', 'Content-Length: 2\r\n', '');
  let alike = 0;
  for (let i = 0; i < given.length; i++) {
    for (const [n, put] of bytes.entries()) {
      const changed = given.slice(0, i) + put + given.slice(i + (n % 2));
      const ours = readPlainRequest(Buffer.from(changed, 'latin1'));
      if (ours === null || ours === 'more') continue;
      parsed.length = 0;
      const socket = connect(port);
      socket.end(Buffer.from(changed, 'latin1'));
      socket.resume();
      await once(socket, 'close');
      expect(parsed.map(one => ({ ...one, headers: { ...(one.headers as object) } }))).toEqual([
        { url: '/v1/get-balance/json', headers: ours.headers, body: ours.body.toString('latin1') },
      ]);
      alike++;
    }
  }
  expect(alike).toBeGreaterThan(100);
  reference.close();
});
