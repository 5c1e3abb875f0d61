// The same server over TLS, on a port of its own: every listener of the plain one, and its time limits, so that what is
// answered, refused or bounded there is so here. For clients with a fixed https address where nobody wants a proxy.
import { createServer, type Server } from 'node:https';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import type { Log } from '../log.ts';
import { followTlsPair, type TlsPair, type TlsPaths } from '../settings/tls-files.ts';

export type SecureDoor = { port(): number | undefined; close(): Promise<void> };
export type SecureOptions = {
  host: string;
  port: number;
  files: TlsPaths;
  log: Log;
  /** For tests; otherwise two seconds. */
  lookEveryMs?: number;
};

// A handshake takes a few round trips; who needs longer holds a place, and holds a stop up.
const handshakeMaxMs = 5_000;
const sweepEveryMs = 50;
/** Half a year: browsers that came once come over TLS alone. */
const strictTransport = 'max-age=15552000';
const sharedEvents = ['request', 'checkExpectation', 'connect'] as const;

/** To be opened when the plain one listens. */
export async function openSecureDoor(plain: FastifyInstance, options: SecureOptions): Promise<SecureDoor> {
  const door = likeThe(plain.server as unknown as Server);
  const silent = silentConnections(door);
  const follower = followTlsPair(options.files, options.log, pair => use(door, pair), options.lookEveryMs);
  await new Promise<void>((resolve, reject) => {
    door.once('error', reject);
    door.listen({ host: options.host, port: options.port }, resolve);
  });
  return {
    port() {
      const address = door.address();
      return address && typeof address === 'object' ? address.port : undefined;
    },
    async close() {
      follower.stop();
      await closed(door, silent);
    },
  };
}

function likeThe(plain: Server): Server {
  const door = createServer({ requireHostHeader: false, handshakeTimeout: handshakeMaxMs });
  door.requestTimeout = plain.requestTimeout;
  door.headersTimeout = plain.headersTimeout;
  door.keepAliveTimeout = plain.keepAliveTimeout;
  door.setTimeout(plain.timeout);
  for (const event of sharedEvents)
    for (const listener of plain.listeners(event)) door.on(event, listener as (...given: unknown[]) => void);
  door.prependListener('request', (_, response) => response.setHeader('strict-transport-security', strictTransport));
  const answers = plain.listeners('clientError') as ((error: Error, socket: Socket) => void)[];
  door.on('clientError', (error, socket) => {
    // Of a handshake that failed: nobody there could read an answer.
    if (!(socket as TLSSocket).getProtocol?.()) socket.destroy();
    else for (const answer of answers) answer(error, socket as Socket);
  });
  return door;
}

/** Connections that are open go on with the certificate they began with. */
function use(door: Server, { cert, key }: TlsPair): void {
  door.setSecureContext({ cert, key });
}

/** Connections that have asked nothing yet: Node does not count them among the idle ones. Those in a handshake have seconds. */
function silentConnections(door: Server): Set<Socket> {
  const silent = new Set<Socket>();
  door.on('secureConnection', socket => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  door.prependListener('request', message => silent.delete(message.socket));
  return silent;
}

/** Answers under way end their connections; the idle ones are closed as they become so. */
async function closed(door: Server, silent: Set<Socket>): Promise<void> {
  const sweep = () => {
    door.closeIdleConnections();
    for (const socket of silent) socket.destroy();
  };
  const timer = setInterval(sweep, sweepEveryMs);
  await new Promise<void>(resolve => {
    door.close(() => resolve());
    sweep();
  });
  clearInterval(timer);
}
