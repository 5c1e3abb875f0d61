// Connections without a bind: their limits, what they may send, and that customers can still connect.
import { once } from 'node:events';
import * as net from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterEach, expect, test, vi } from 'vitest';
import { connect } from './client.ts';
import { encodePdu } from './codec.ts';
import { parseProxyHeader } from './proxy-header.ts';
import { selfSigned } from './self-signed.ts';
import { type Bind, type ListenOptions, listen } from './server.ts';
import { clientDefaults, recorder } from './session-pair.ts';
import { Strangers } from './strangers.ts';

const until = (condition: () => void) => vi.waitFor(condition, { timeout: 90_000, interval: 5 });
const closers: Array<() => Promise<void> | void> = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function serve(options: Partial<ListenOptions<number>> = {}) {
  const { handler } = recorder();
  const binds: Bind[] = [];
  const authorise = (bind: Bind) => binds.push(bind) * 0;
  // Nothing is closed for the time it takes to bind: that would hide what does not close it.
  const times = { bindTimeoutMs: 600_000, enquireLinkMs: 600_000 };
  const server = await listen<number>({ port: 0, authorise, onSession: () => handler, ...times, ...options });
  closers.push(() => server.close());
  return { ...server, binds };
}

function stranger(port: number): net.Socket {
  const socket = net.connect(port, '127.0.0.1');
  socket.on('error', () => {});
  closers.push(() => void socket.destroy());
  return socket;
}

const bindPdu = encodePdu({
  command: 'bind_transceiver',
  sequence: 1,
  fields: { systemId: 'esme', password: 'secret' },
});
const enquire = encodePdu({ command: 'enquire_link', sequence: 1, fields: {} });

test.each([false, true])(
  'two thousand silent connections of one address hold fifty places, and customers bind (TLS: %s)',
  async secure => {
    const pair = selfSigned();
    const strangers = { perAddress: 50, total: 500 };
    const isProxy = (address: string) => address.endsWith('127.0.0.2');
    const server = await serve({ ...(secure ? { tls: pair } : {}), strangers, sessionsMax: 100, isProxy });
    const sockets: net.Socket[] = [];
    // In waves that fit the port's backlog, so that none waits outside.
    while (sockets.length < 2_000) {
      sockets.push(...Array.from({ length: 200 }, () => stranger(server.port)));
      await until(() => expect(sockets.filter(one => one.destroyed).length).toBe(sockets.length - 50));
    }
    // A customer from an address of its own, which the balancer's header names.
    const raw = net.connect({ port: server.port, host: '127.0.0.1', localAddress: '127.0.0.2' });
    raw.write('PROXY TCP4 203.0.113.9 127.0.0.1 40000 3550\r\n');
    const socket = secure ? connectTls({ socket: raw, rejectUnauthorized: false }) : raw;
    socket.write(bindPdu);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.readUInt32BE(8)).toBe(0);
    expect(server.binds.map(one => one.remote)).toEqual(['203.0.113.9:40000']);
    socket.destroy();
  },
);

test('a full pool makes room for who comes new, by the oldest of the address that holds most; bound sessions stay', async () => {
  const closed: string[] = [];
  const pool = new Strangers({ perAddress: 3, total: 4 });
  const enter = (address: string, name: string) => pool.enter(address, () => closed.push(name));
  const leave = enter('192.0.2.1', 'a1');
  enter('192.0.2.1', 'a2');
  enter('192.0.2.1', 'a3');
  expect(enter('192.0.2.1', 'a4')).toBeNull();
  enter('192.0.2.2', 'b1');
  enter('192.0.2.3', 'c1');
  expect(closed).toEqual(['a1']);
  leave!();
  expect(pool.count).toBe(4);
  const server = await serve({ strangers: { perAddress: 1_000, total: 10 } });
  const session = await connect<number>({ ...clientDefaults, port: server.port }, recorder().handler);
  closers.push(() => session.destroy('test over'));
  const sockets = Array.from({ length: 100 }, () => stranger(server.port));
  await until(() => expect(sockets.filter(one => one.destroyed).length).toBe(90));
  expect([...server.sessions()].length).toBe(1);
  expect(session.state).toBe('bound_trx');
});

test('before a bind anything but a bind ends the connection: requests, answers, long PDUs', async () => {
  const server = await serve();
  const answerToNothing = Buffer.from('00000010800000150000000000000007', 'hex');
  const long = Buffer.from('00000500000000090000000000000001', 'hex');
  for (const octets of [enquire, answerToNothing, long]) {
    const socket = stranger(server.port);
    socket.resume();
    socket.write(octets);
    await once(socket, 'close');
  }
  expect(server.binds).toEqual([]);
});

test('forty connections that flood enquire_link and read nothing leave memory and customers alone, bound or not', async () => {
  const { handler } = recorder((pdu, session) => {
    if (pdu.command === 'submit_sm') session.respond('submit_sm_resp', pdu.sequence, 0, { messageId: 'm' });
  });
  const server = await serve({ onSession: () => handler });
  const flood = Buffer.concat(Array.from({ length: 4_000 }, () => enquire));
  let written = 0;
  let stop = false;
  closers.push(() => {
    stop = true;
  });
  const floods = Array.from({ length: 40 }, (_, i) => {
    const socket = stranger(server.port);
    socket.pause();
    if (i % 2) socket.write(bindPdu);
    const more = () => {
      if (stop || socket.destroyed) return;
      written += flood.length;
      if (socket.write(flood)) setImmediate(more);
      else socket.once('drain', more);
    };
    more();
    return socket;
  });
  await until(() => expect(floods.filter(one => one.destroyed).length).toBe(20));
  const { heard, handler: own } = recorder();
  const session = await connect<number>({ ...clientDefaults, port: server.port }, own);
  closers.push(() => session.destroy('test over'));
  session.submit(Buffer.alloc(17), 1);
  await until(() => expect(heard.answers).toHaveLength(1));
  // What the kernel buffers for 20 connections and no more: the server does not read them.
  const before = written;
  for (let n = 0; n < 20; n++) await new Promise(resolve => setTimeout(resolve, 10));
  expect(written - before).toBeLessThan(40 * 1024 * 1024);
});

test('a bound peer that leaves its answers unread is not read on, and is closed after the time of an answer', async () => {
  const { heard, handler } = recorder((pdu, session) =>
    session.respond('submit_sm_resp', pdu.sequence, 0, { messageId: '1'.repeat(64) }),
  );
  const server = await serve({ responseTimeoutMs: 2_000, onSession: () => handler });
  const socket = stranger(server.port);
  socket.pause();
  socket.write(bindPdu);
  const submit = encodePdu({ command: 'submit_sm', sequence: 2, fields: { shortMessage: Buffer.from('a') } });
  const flood = Buffer.concat(Array.from({ length: 4_000 }, () => submit));
  const more = () => socket.destroyed || (socket.write(flood) ? setImmediate(more) : socket.once('drain', more));
  more();
  await until(() => expect([...server.sessions()].length).toBe(1));
  await until(() => expect([...server.sessions()]).toEqual([]));
  // Not for what it left unread: a peer that is read on is closed as soon as its answers take 4 MB.
  expect(heard.closed).toEqual(['the peer does not read']);
});

test('of a peer that floods, a turn of the event loop reads few requests: those of others are read meanwhile', async () => {
  const query = encodePdu({ command: 'query_sm', sequence: 2, fields: { messageId: '1' } });
  let inTurn = 0;
  let most = 0;
  let total = 0;
  const { handler } = recorder((pdu, session) => {
    if (inTurn === 0) setImmediate(() => (inTurn = 0));
    inTurn += query.length;
    total += query.length;
    most = Math.max(most, inTurn);
    session.respond('query_sm_resp', pdu.sequence, 0x67);
  });
  const server = await serve({ onSession: () => handler });
  const socket = stranger(server.port);
  socket.resume();
  socket.write(bindPdu);
  const octets = 8 * 1024 * 1024;
  socket.write(Buffer.concat(Array.from({ length: Math.ceil(octets / query.length) }, () => query)));
  await until(() => expect(total).toBeGreaterThanOrEqual(octets));
  expect(most).toBeLessThan(48 * 1024);
});

const v2 = (head: string, body: string) => Buffer.from(`0d0a0d0a000d0a515549540a${head}${body}`, 'hex');
test.each([
  ['version 1', Buffer.from('PROXY TCP4 192.0.2.7 198.51.100.1 4711 3550\r\nrest'), '192.0.2.7', 45],
  ['version 1, IPv6', Buffer.from('PROXY TCP6 2001:db8::7 2001:db8::1 4711 3550\r\n'), '2001:db8::7', 46],
  ['version 1, unknown', Buffer.from('PROXY UNKNOWN\r\n'), null, 15],
  ['version 2', v2('2111000c', 'c0000207c6336401126705dd'), '192.0.2.7', 28],
  [
    'version 2, IPv6',
    v2('21210024', `20010db8${'00'.repeat(11)}07${'00'.repeat(16)}12670ddd`),
    '2001:db8:0:0:0:0:0:7',
    52,
  ],
  ['version 2, of the balancer itself', v2('20000000', ''), null, 16],
])('the PROXY header is read: %s', (_, octets, address, bytes) => {
  expect(parseProxyHeader(octets)).toMatchObject({ address, bytes });
  for (let end = 0; end < bytes; end++) expect(parseProxyHeader(octets.subarray(0, end))).toBeNull();
});

test.each([
  ['none', Buffer.from('00000010000000090000000000000001', 'hex')],
  ['an address that is none', Buffer.from('PROXY TCP4 1.2.3.999 1.2.3.4 1 2\r\n')],
  ['a line without end', Buffer.from(`PROXY TCP4 ${'1'.repeat(200)}`)],
  ['version 3', v2('3111000c', 'c0000207c6336401126705dd')],
  ['longer than may be', v2('2111ffff', '')],
])('what is no PROXY header ends the connection: %s', (_, octets) =>
  expect(parseProxyHeader(octets)).toBe('malformed'),
);
