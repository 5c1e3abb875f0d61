// Peers for this folder's tests: a client and a server session over a real socket that record everything they receive, and a
// raw peer that sends exactly the given octets. For tests only.
import * as net from 'node:net';
import { connect } from './client.ts';
import type { Pdu } from './codec.ts';
import { Framer } from './framing.ts';
import type { PduError } from './pdu-error.ts';
import type { BindType } from './pdus.ts';
import { listen } from './server.ts';
import type { Requester, Session, SessionHandler } from './session.ts';
import { hex } from './wire-fixtures.ts';

type Heard = {
  answers: Array<[token: number, status: number, messageId: string]>;
  lost: Array<[token: number, why: string]>;
  late: Array<[token: number, status: number, messageId: string]>;
  requests: Pdu[];
  closed: string[];
  errors: PduError[];
  rooms: number;
  /** What the handler answers before submits are written. */
  mayWrite: boolean;
};
type OnRequest = (pdu: Pdu, session: Requester) => void;

export function recorder(onRequest?: OnRequest): { heard: Heard; handler: SessionHandler<number> } {
  const heard: Heard = {
    answers: [],
    lost: [],
    late: [],
    requests: [],
    closed: [],
    errors: [],
    rooms: 0,
    mayWrite: true,
  };
  const handler: SessionHandler<number> = {
    onSubmitAnswer: (token, status, messageId) => heard.answers.push([token, status, messageId]),
    onSubmitLost: (token, why) => heard.lost.push([token, why]),
    onLateAnswer: (token, status, messageId) => heard.late.push([token, status, messageId]),
    mayWrite: () => heard.mayWrite,
    onRoom: () => heard.rooms++,
    onRequest(pdu, session) {
      heard.requests.push(pdu);
      onRequest?.(pdu, session);
    },
    onClose: reason => heard.closed.push(reason),
    onProtocolError: error => heard.errors.push(error),
  };
  return { heard, handler };
}

export const clientDefaults = {
  host: '127.0.0.1',
  bind: 'transceiver' as BindType,
  systemId: 'esme',
  password: 'secret',
  window: 10,
  responseTimeoutMs: 10_000,
  enquireLinkMs: 0,
  connectTimeoutMs: 5_000,
};

type PairOptions = Partial<typeof clientDefaults> & { onSubmit?: OnRequest; onDeliver?: OnRequest };

/** Two bound sessions. The server's answers come from onSubmit; without it the server stays silent. */
export async function sessionPair(options: PairOptions = {}) {
  const { onSubmit, onDeliver, ...clientOptions } = options;
  const atServer = recorder(onSubmit);
  const atClient = recorder(onDeliver);
  let accepted: Session<number> | undefined;
  const server = await listen<number>({
    port: 0,
    enquireLinkMs: 0,
    authorise: () => 0,
    onSession(session) {
      accepted = session;
      return atServer.handler;
    },
  });
  const client = await connect<number>({ ...clientDefaults, ...clientOptions, port: server.port }, atClient.handler);
  const close = async () => {
    client.destroy('test over');
    await server.close();
  };
  return { client, clientHeard: atClient.heard, server: accepted!, serverHeard: atServer.heard, close };
}

/** A TCP server that records what it receives and sends given octets, one connection at a time. */
export async function rawSmsc() {
  const sockets: net.Socket[] = [];
  const frames: Buffer[] = [];
  const server = net.createServer(socket => {
    sockets.push(socket);
    const framer = new Framer(1_000_000);
    socket.on('error', () => {});
    socket.on('data', chunk => {
      framer.push(chunk);
      while (framer.next()) frames.push(Buffer.from(framer.buffer.subarray(framer.start, framer.end)));
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as net.AddressInfo).port,
    frames,
    socket: () => sockets.at(-1)!,
    send: (text: string) => sockets.at(-1)!.write(hex(text)),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

/** bind_transceiver_resp, status 0, sequence 1, system_id "". */
export const bindAccepted = '00000011 80000009 00000000 00000001 00';

/** A client bound to a raw peer, which then does only what the test says. */
export async function rawPair(options: PairOptions = {}) {
  const { onDeliver, onSubmit: _, ...clientOptions } = options;
  const peer = await rawSmsc();
  const { heard, handler } = recorder(onDeliver);
  const connecting = connect<number>({ ...clientDefaults, ...clientOptions, port: peer.port }, handler);
  while (peer.frames.length === 0) await new Promise(resolve => setImmediate(resolve));
  peer.send(bindAccepted);
  const client = await connecting;
  // The bind alone: the client's first request may follow it.
  peer.frames.shift();
  const close = async () => {
    client.destroy('test over');
    await peer.close();
  };
  return { client, heard, peer, close };
}
