// Connecting, binding and being refused, plain and over TLS: client.ts and server.ts against each other and against
// raw peers.
import * as net from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ConnectOptions } from './client.ts';
import { connect } from './client.ts';
import { selfSigned } from './self-signed.ts';
import type { ListenOptions } from './server.ts';
import { listen } from './server.ts';
import { bindAccepted, clientDefaults, rawSmsc, recorder } from './session-pair.ts';

const until = (condition: () => void) => vi.waitFor(condition, { timeout: 90_000, interval: 2 });
const closers: Array<() => Promise<void> | void> = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function serve(options: Partial<ListenOptions<number>> = {}) {
  const { heard, handler } = recorder();
  const server = await listen<number>({ port: 0, authorise: () => 0, onSession: () => handler, ...options });
  closers.push(() => server.close());
  return { ...server, heard };
}

async function rawPeer() {
  const peer = await rawSmsc();
  closers.push(peer.close);
  return peer;
}

function dial(port: number, options: Partial<ConnectOptions> = {}) {
  const { heard, handler } = recorder();
  return { heard, session: connect<number>({ ...clientDefaults, ...options, port }, handler) };
}

describe('binding', () => {
  test.each([
    ['transceiver', 'bound_trx'],
    ['transmitter', 'bound_tx'],
    ['receiver', 'bound_rx'],
  ] as const)('a %s bind reaches authorise with its credentials and ends in %s', async (bind, state) => {
    const seen: unknown[] = [];
    const server = await serve({
      authorise(given) {
        seen.push(given);
        return 0;
      },
    });
    const session = await dial(server.port, { bind, systemType: 'VMA', addressRange: '90' }).session;
    expect(session.state).toBe(state);
    expect([...server.sessions()].map(s => s.state)).toEqual([state]);
    expect(seen).toMatchObject([
      { systemId: 'esme', password: 'secret', bindType: bind, systemType: 'VMA', addressRange: '90' },
    ]);
  });

  test('a refused bind rejects with its status, and the handler hears nothing', async () => {
    const server = await serve({ authorise: () => 0x0e });
    const { heard, session } = dial(server.port);
    await expect(session).rejects.toMatchObject({ name: 'BindError', status: 0x0e });
    expect(heard.closed).toEqual([]);
    await until(() => expect([...server.sessions()]).toEqual([]));
  });

  test('authorise may take its time', async () => {
    const server = await serve({ authorise: () => new Promise(resolve => setImmediate(() => resolve(0))) });
    expect((await dial(server.port).session).state).toBe('bound_trx');
  });

  test('an authorise that throws is answered with system error', async () => {
    const server = await serve({ authorise: () => Promise.reject(new Error('database away')) });
    await expect(dial(server.port).session).rejects.toMatchObject({ status: 0x08 });
  });

  test('a password longer than the standard allows reaches the peer whole', async () => {
    const password = 'a'.repeat(40);
    const server = await serve({ authorise: bind => (bind.password === password ? 0 : 0x0e) });
    expect((await dial(server.port, { password }).session).state).toBe('bound_trx');
  });

  test('a password that no octets can carry rejects and leaves no connection', async () => {
    const server = await serve();
    await expect(dial(server.port, { password: 'ş' }).session).rejects.toMatchObject({ name: 'PduError' });
  });

  test('a receipt in the same packet as the answer to the bind reaches the handler', async () => {
    const peer = await rawPeer();
    const { heard, session } = dial(peer.port);
    await until(() => expect(peer.frames).toHaveLength(1));
    peer.send(`${bindAccepted} 00000021 00000005 00000000 00000009 ${'00'.repeat(17)}`);
    (await session).respond('deliver_sm_resp', 9, 0);
    expect(heard.requests).toMatchObject([{ command: 'deliver_sm', sequence: 9 }]);
    (await session).destroy('test over');
  });
});

describe('peers that do not behave', () => {
  test('a port where nobody listens rejects with the socket error', async () => {
    const peer = await rawSmsc();
    await peer.close();
    await expect(dial(peer.port).session).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  test('a peer that takes the connection and says nothing rejects with timeout and is hung up on', async () => {
    const peer = await rawPeer();
    await expect(dial(peer.port, { connectTimeoutMs: 50 }).session).rejects.toMatchObject({ reason: 'timeout' });
    await until(() => expect(peer.socket().destroyed).toBe(true));
  });

  test('a peer that hangs up on the bind rejects with closed', async () => {
    const peer = await rawPeer();
    const { session } = dial(peer.port);
    const refused = expect(session).rejects.toMatchObject({ reason: 'closed' });
    await until(() => expect(peer.frames).toHaveLength(1));
    peer.socket().destroy();
    await refused;
  });

  test('a peer that answers the bind with garbage rejects', async () => {
    const peer = await rawPeer();
    const { session } = dial(peer.port);
    const refused = expect(session).rejects.toMatchObject({ name: 'PduError', recoverable: false });
    await until(() => expect(peer.frames).toHaveLength(1));
    peer.send('ffffffffffff');
    await refused;
  });

  test('a stranger that does not bind in time is hung up on', async () => {
    const server = await serve({ bindTimeoutMs: 30 });
    const socket = net.connect(server.port, '127.0.0.1');
    await new Promise(resolve => socket.once('close', resolve));
    expect([...server.sessions()]).toEqual([]);
  });

  test('connections beyond sessionsMax are refused', async () => {
    const server = await serve({ sessionsMax: 1 });
    const first = await dial(server.port).session;
    await expect(dial(server.port).session).rejects.toThrow();
    expect(first.state).toBe('bound_trx');
  });
});

describe('closing a server', () => {
  test('drops every session and frees the port', async () => {
    const server = await serve();
    const { heard, session } = dial(server.port);
    await session;
    await server.close();
    await until(() => expect(heard.closed).toHaveLength(1));
    await expect(dial(server.port).session).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  test('with a grace period unbinds', async () => {
    const server = await serve();
    const { heard, session } = dial(server.port);
    await session;
    await server.close(5_000);
    await until(() => expect(heard.closed).toEqual(['the peer unbound']));
    expect(server.heard.closed).toEqual(['unbound']);
  });

  test('a port that is taken rejects', async () => {
    const server = await serve();
    await expect(serve({ port: server.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});

describe('TLS', () => {
  const pair = selfSigned();

  test('a certificate that the given authority vouches for is accepted, and submits pass', async () => {
    const { heard: served, handler } = recorder((pdu, session) =>
      session.respond('submit_sm_resp', pdu.sequence, 0, { messageId: 'm' }),
    );
    const server = await serve({ tls: pair, onSession: () => handler });
    const { heard, session } = dial(server.port, { tls: { ca: pair.cert } });
    (await session).submit(Buffer.alloc(17), 1);
    await until(() => expect(heard.answers).toEqual([[1, 0, 'm']]));
    expect(served.requests).toHaveLength(1);
    await (await session).unbind(5_000);
  });

  test('a self-signed certificate is refused unless configured otherwise', async () => {
    const server = await serve({ tls: pair });
    await expect(dial(server.port, { tls: true }).session).rejects.toMatchObject({
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    });
    const session = await dial(server.port, { tls: { rejectUnauthorized: false } }).session;
    expect(session.state).toBe('bound_trx');
    session.destroy('test over');
  });

  test('a plain client gets no bind from a TLS server', async () => {
    const server = await serve({ tls: pair });
    await expect(dial(server.port, { connectTimeoutMs: 2_000 }).session).rejects.toThrow();
  });
});
