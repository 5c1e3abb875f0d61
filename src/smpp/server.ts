// The SMSC's end: listens (plain or TLS), lets a peer bind if authorise() says 0, and hands the bound session to
// onSession. A connection that does not bind in time is closed, so idle strangers cannot use up the places.
import * as net from 'node:net';
import * as tls from 'node:tls';
import type { Pdu } from './codec.ts';
import type { PduError } from './pdu-error.ts';
import type { BindType } from './pdus.ts';
import type { SessionHandler } from './session.ts';
import { Session } from './session.ts';
import { status } from './status.ts';
import { numberTlv } from './tlv.ts';

export type Bind = {
  systemId: string;
  password: string;
  bindType: BindType;
  systemType: string;
  addressRange: string;
  remote: string;
};

export type ListenOptions<T> = {
  port: number;
  host?: string;
  tls?: { key: string | Buffer; cert: string | Buffer };
  /** The name we give in the answer to a bind. */
  systemId?: string;
  window?: number;
  responseTimeoutMs?: number;
  enquireLinkMs?: number;
  bindTimeoutMs?: number;
  maxPduBytes?: number;
  sessionsMax?: number;
  /** Connections of one address that have not bound yet; further ones are closed at once. */
  unboundPerAddressMax?: number;
  /** The status to answer the bind with; 0 lets it in. */
  authorise(bind: Bind): number | Promise<number>;
  /** Called once per bound session, right after the answer to the bind was queued. */
  onSession(session: Session<T>, bind: Bind): SessionHandler<T>;
  /** Errors of connections that have not bound yet. */
  onProtocolError?(error: PduError): void;
  onServerError?(error: Error): void;
};

export type SmppServer<T> = {
  port: number;
  /** Bound sessions. */
  sessions(): Iterable<Session<T>>;
  /** Another certificate for those who connect from now on. */
  renew(tls: { key: string | Buffer; cert: string | Buffer }): void;
  /** Stops listening and closes every session: at once, or after unbinding within graceMs. */
  close(graceMs?: number): Promise<void>;
};

const defaults = {
  window: 100,
  responseTimeoutMs: 30_000,
  enquireLinkMs: 60_000,
  bindTimeoutMs: 10_000,
  sessionsMax: 1_000,
};
const bindTypes: Partial<Record<Pdu['command'], BindType>> = {
  bind_transceiver: 'transceiver',
  bind_transmitter: 'transmitter',
  bind_receiver: 'receiver',
};

export async function listen<T>(options: ListenOptions<T>): Promise<SmppServer<T>> {
  const connected = new Set<Session<T>>();
  const strangers = new Strangers(options.unboundPerAddressMax ?? Number.POSITIVE_INFINITY);
  const accept = (socket: net.Socket) => acceptSocket(socket, options, connected, strangers);
  const server = options.tls
    ? tls.createServer({ ...options.tls, handshakeTimeout: options.bindTimeoutMs ?? defaults.bindTimeoutMs }, accept)
    : net.createServer({ noDelay: true }, accept);
  server.maxConnections = options.sessionsMax ?? defaults.sessionsMax;
  // A failed TLS handshake is the stranger's trouble; without a listener Node destroys the socket all the same.
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    // Exclusive: a process of a cluster listens itself instead of being handed connections.
    server.listen({ port: options.port, host: options.host ?? '127.0.0.1', exclusive: true }, () => {
      server.removeListener('error', reject);
      // Accepting can fail later (out of file descriptors): that connection is lost, the server goes on.
      server.on('error', error => options.onServerError?.(error));
      resolve();
    });
  });
  return {
    port: (server.address() as net.AddressInfo).port,
    renew: pair => server instanceof tls.Server && server.setSecureContext(pair),
    sessions: () => [...connected].filter(session => session.bindType !== null),
    async close(graceMs = 0) {
      const closed = new Promise<void>(resolve => server.close(() => resolve()));
      await Promise.all(
        [...connected].map(session => (graceMs > 0 ? session.unbind(graceMs) : session.destroy('the server closed'))),
      );
      await closed;
    },
  };
}

/** Connections without a bind, by address. */
class Strangers {
  readonly #most: number;
  readonly #counts = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Counts the connection and returns how to count it no longer; null: one too many. */
  enter(address: string): (() => void) | null {
    const count = this.#counts.get(address) ?? 0;
    if (count >= this.#most) return null;
    this.#counts.set(address, count + 1);
    let inside = true;
    return () => {
      if (!inside) return;
      inside = false;
      const left = this.#counts.get(address)! - 1;
      if (left === 0) this.#counts.delete(address);
      else this.#counts.set(address, left);
    };
  }
}

function acceptSocket<T>(
  socket: net.Socket,
  options: ListenOptions<T>,
  connected: Set<Session<T>>,
  strangers: Strangers,
): void {
  const leave = strangers.enter(String(socket.remoteAddress));
  if (!leave) {
    socket.on('error', () => {});
    return void socket.destroy();
  }
  const settings = {
    side: 'smsc',
    window: options.window ?? defaults.window,
    responseTimeoutMs: options.responseTimeoutMs ?? defaults.responseTimeoutMs,
    enquireLinkMs: options.enquireLinkMs ?? defaults.enquireLinkMs,
    maxPduBytes: options.maxPduBytes,
  } as const;
  const timer = setTimeout(() => session.destroy('no bind in time'), options.bindTimeoutMs ?? defaults.bindTimeoutMs);
  socket.once('close', () => {
    clearTimeout(timer);
    leave();
    connected.delete(session);
  });
  const session = new Session<T>(socket, settings, {
    onSubmitAnswer() {},
    onSubmitLost() {},
    onClose() {},
    onProtocolError: error => options.onProtocolError?.(error),
    onRequest: pdu => void admit(session, pdu, options, timer, leave),
  });
  connected.add(session);
}

async function admit<T>(
  session: Session<T>,
  pdu: Pdu,
  options: ListenOptions<T>,
  timer: NodeJS.Timeout,
  bound: () => void,
): Promise<void> {
  const bindType = bindTypes[pdu.command];
  if (bindType === undefined || !('password' in pdu.fields) || !('systemType' in pdu.fields)) return;
  const answer = `bind_${bindType}_resp` as const;
  const { systemId, password, systemType, addressRange } = pdu.fields;
  const bind = { systemId, password, bindType, systemType, addressRange, remote: session.remote };
  session.beginBind();
  const withStatus = await verdictOf(session, () => options.authorise(bind));
  if (session.state === 'closed') return;
  clearTimeout(timer);
  if (withStatus !== 0) {
    session.respond(answer, pdu.sequence, withStatus);
    return session.end('bind refused');
  }
  bound();
  const tlvs = [numberTlv('sc_interface_version', 0x34, 1)];
  session.respond(answer, pdu.sequence, 0, { systemId: options.systemId ?? 'peyk' }, tlvs);
  session.completeBind(bindType, placeholder);
  session.completeBind(bindType, options.onSession(session, bind));
}

/** Nothing more is read until the verdict is there: the peer has to wait for it as well. */
async function verdictOf<T>(session: Session<T>, authorise: () => number | Promise<number>): Promise<number> {
  session.pauseReading();
  try {
    return await authorise();
  } catch {
    // Whatever kept the owner from deciding, the peer may try again later.
    return status.ESME_RSYSERR;
  } finally {
    session.resumeReading();
  }
}

const placeholder: SessionHandler<unknown> = {
  onSubmitAnswer() {},
  onSubmitLost() {},
  onRequest() {},
  onClose() {},
};
