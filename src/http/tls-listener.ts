// The same server over TLS on a port of its own, with the listeners and time limits of the plain server, so that both
// answer alike. For installations without a proxy in front.
import { createServer, type Server } from 'node:https';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import type { Log } from '../log.ts';
import { gauge } from '../metrics/metrics.ts';
import { followTlsPair, type TlsPair, type TlsPaths } from '../settings/tls-files.ts';

type TlsListener = { port(): number | undefined; close(): Promise<void> };
export type TlsListenerOptions = {
  host: string;
  port: number;
  files: TlsPaths;
  log: Log;
  /** For tests; otherwise two seconds. */
  lookEveryMs?: number;
};

// A handshake takes a few round trips. A slower one would hold a connection, and delay a stop.
const handshakeMaxMs = 5_000;
const sweepEveryMs = 50;
/** Half a year: a browser that connected once uses TLS only. */
const strictTransport = 'max-age=15552000';
const sharedEvents = ['request', 'checkExpectation', 'connect'] as const;

/** Call it once the plain server listens. */
export async function openTlsListener(plain: FastifyInstance, options: TlsListenerOptions): Promise<TlsListener> {
  const server = secureCopyOf(plain.server as unknown as Server);
  const silent = silentConnections(server);
  const follower = followTlsPair(options.files, options.log, pair => use(server, pair), options.lookEveryMs);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: options.host, port: options.port }, resolve);
  });
  return {
    port() {
      const address = server.address();
      return address && typeof address === 'object' ? address.port : undefined;
    },
    async close() {
      follower.stop();
      await closed(server, silent);
    },
  };
}

function secureCopyOf(plain: Server): Server {
  const server = createServer({ requireHostHeader: false, handshakeTimeout: handshakeMaxMs });
  server.requestTimeout = plain.requestTimeout;
  server.headersTimeout = plain.headersTimeout;
  server.keepAliveTimeout = plain.keepAliveTimeout;
  server.setTimeout(plain.timeout);
  for (const event of sharedEvents)
    for (const listener of plain.listeners(event)) server.on(event, listener as (...given: unknown[]) => void);
  server.prependListener('request', (_, response) => response.setHeader('strict-transport-security', strictTransport));
  const answers = plain.listeners('clientError') as ((error: Error, socket: Socket) => void)[];
  server.on('clientError', (error, socket) => {
    // The handshake failed, so the peer could not read an answer.
    if (!(socket as TLSSocket).getProtocol?.()) socket.destroy();
    else for (const answer of answers) answer(error, socket as Socket);
  });
  return server;
}

/** Open connections keep their certificate. */
function use(server: Server, { cert, key, validTo }: TlsPair): void {
  server.setSecureContext({ cert, key });
  gauge('peyk_certificate_ends_seconds').set(validTo.getTime() / 1_000);
}

/** Connections without a request yet, which Node does not count as idle. The handshake has its own time limit. */
function silentConnections(server: Server): Set<Socket> {
  const silent = new Set<Socket>();
  server.on('secureConnection', socket => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  server.prependListener('request', message => silent.delete(message.socket));
  return silent;
}

/** Closes idle connections at once and the others with their answers. */
async function closed(server: Server, silent: Set<Socket>): Promise<void> {
  const sweep = () => {
    server.closeIdleConnections();
    for (const socket of silent) socket.destroy();
  };
  const timer = setInterval(sweep, sweepEveryMs);
  await new Promise<void>(resolve => {
    server.close(() => resolve());
    sweep();
  });
  clearInterval(timer);
}
