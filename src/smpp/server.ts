// The SMSC side: listens (with or without TLS), lets a peer bind if authorise() returns 0, and passes the bound session to
// onSession. Connections count from their first packet, before any TLS handshake, in a pool of unbound ones that a bind leaves.
// An unbound connection may only send a bind, and is closed if it does not in time.
import * as net from 'node:net';
import * as tls from 'node:tls';
import type { Pdu } from './codec.ts';
import type { PduError } from './pdu-error.ts';
import type { BindType } from './pdus.ts';
import { readProxyHeader } from './proxy-header.ts';
import type { Requester, SessionHandler } from './session.ts';
import { Session } from './session.ts';
import { status } from './status.ts';
import { type StrangerLimits, Strangers } from './strangers.ts';
import { numberTlv } from './tlv.ts';

export type Bind = {
  systemId: string;
  password: string;
  bindType: BindType;
  systemType: string;
  addressRange: string;
  /** Of the peer, with its port. */
  remote: string;
  address: string;
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
  /** Bound sessions; a further bind is answered with system error. */
  sessionsMax?: number;
  /** Connections that have not bound yet. */
  strangers?: StrangerLimits;
  /** Whether connections from this address begin with a PROXY protocol header. */
  isProxy?(address: string): boolean;
  /** The status that answers the bind; 0 accepts it. */
  authorise(bind: Bind): number | Promise<number>;
  /** Called once per bound session, right after the answer to the bind was queued. */
  onSession(session: Session<T>, bind: Bind): SessionHandler<T>;
  /** Errors of connections that have not bound yet. */
  onProtocolError?(error: PduError): void;
  onServerError?(error: Error): void;
};

type SmppServer<T> = {
  port: number;
  /** Bound sessions. */
  sessions(): Iterable<Session<T>>;
  /** Another certificate for new connections. */
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

const strangersUsual = { perAddress: Number.POSITIVE_INFINITY, total: 1_000 };

export async function listen<T>(options: ListenOptions<T>): Promise<SmppServer<T>> {
  const port = new Port(options);
  const server = net.createServer({ noDelay: true }, raw => port.connected(raw));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    // Exclusive: a process of a cluster listens itself instead of receiving connections.
    server.listen({ port: options.port, host: options.host ?? '127.0.0.1', exclusive: true }, () => {
      server.removeListener('error', reject);
      // Accepting can fail later (out of file descriptors): that connection is lost, the server continues.
      server.on('error', error => options.onServerError?.(error));
      resolve();
    });
  });
  return {
    port: (server.address() as net.AddressInfo).port,
    renew: pair => port.secure?.setSecureContext(pair),
    sessions: () => [...port.sessions].filter(session => session.bindType !== null),
    async close(graceMs = 0) {
      const closed = new Promise<void>(resolve => server.close(() => resolve()));
      port.dropStrangers();
      await Promise.all(
        [...port.sessions].map(session =>
          graceMs > 0 ? session.unbind(graceMs) : session.destroy('the server closed'),
        ),
      );
      await closed;
    },
  };
}

/** A connection that has not bound yet. */
type Arrival = { raw: net.Socket; remote: string; timer: NodeJS.Timeout; leave(): void };

/** The connections of one port. */
class Port<T> {
  readonly sessions = new Set<Session<T>>();
  readonly secure: tls.Server | null;
  readonly #options: ListenOptions<T>;
  readonly #strangers: Strangers;
  readonly #arrivals = new Set<Arrival>();
  /** Connections in their TLS handshake, by the peer's end of the connection. */
  readonly #inHandshake = new Map<string, Arrival>();
  #bound = 0;

  constructor(options: ListenOptions<T>) {
    this.#options = options;
    this.#strangers = new Strangers(options.strangers ?? strangersUsual);
    const handshakeTimeout = options.bindTimeoutMs ?? defaults.bindTimeoutMs;
    // It does not listen; connections are passed to it. A failed handshake needs no handling, because Node destroys the socket.
    this.secure = options.tls ? tls.createServer({ ...options.tls, handshakeTimeout }) : null;
    this.secure?.on('secureConnection', socket => {
      const arrival = this.#inHandshake.get(endsOf(socket));
      if (arrival) this.#begin(socket, arrival);
      else socket.destroy();
    });
  }

  connected(raw: net.Socket): void {
    raw.on('error', () => {});
    const { isProxy, bindTimeoutMs = defaults.bindTimeoutMs } = this.#options;
    const address = String(raw.remoteAddress);
    const timer = setTimeout(() => raw.destroy(), bindTimeoutMs);
    const arrival: Arrival = { raw, remote: endsOf(raw), timer, leave: () => {} };
    this.#arrivals.add(arrival);
    raw.once('close', () => this.#gone(arrival));
    if (!isProxy?.(address)) return this.#enter(arrival, address);
    readProxyHeader(raw, header => {
      if (header === 'malformed') return void raw.destroy();
      if (header.address !== null) arrival.remote = `${header.address}:${header.port}`;
      this.#enter(arrival, header.address ?? address);
    });
  }

  dropStrangers(): void {
    for (const { raw } of this.#arrivals) raw.destroy();
  }

  #enter(arrival: Arrival, address: string): void {
    const { raw } = arrival;
    const leave = this.#strangers.enter(address, () => raw.destroy());
    if (!leave) return void raw.destroy();
    arrival.leave = leave;
    if (!this.secure) return this.#begin(raw, arrival);
    this.#inHandshake.set(endsOf(raw), arrival);
    const ends = endsOf(raw);
    raw.once('close', () => this.#inHandshake.delete(ends));
    this.secure.emit('connection', raw);
  }

  #gone(arrival: Arrival): void {
    clearTimeout(arrival.timer);
    arrival.leave();
    this.#arrivals.delete(arrival);
  }

  #begin(socket: net.Socket, arrival: Arrival): void {
    const { maxPduBytes, window = defaults.window } = this.#options;
    const { responseTimeoutMs = defaults.responseTimeoutMs, enquireLinkMs = defaults.enquireLinkMs } = this.#options;
    const times = { responseTimeoutMs, enquireLinkMs };
    const settings = { side: 'smsc', window, ...times, maxPduBytes, remote: arrival.remote } as const;
    const session = new Session<T>(socket, settings, {
      onSubmitAnswer() {},
      onSubmitLost() {},
      onClose() {},
      onProtocolError: error => this.#options.onProtocolError?.(error),
      onRequest: pdu => {
        if (this.#bound >= (this.#options.sessionsMax ?? defaults.sessionsMax)) full(session, pdu);
        else void admit(session, pdu, this.#options, () => this.#bind(socket, arrival));
      },
    });
    this.sessions.add(session);
    socket.once('close', () => this.sessions.delete(session));
    socket.resume();
  }

  #bind(socket: net.Socket, arrival: Arrival): void {
    this.#gone(arrival);
    this.#bound++;
    socket.once('close', () => this.#bound--);
  }
}

function full(session: Requester & { end(reason: string): void }, pdu: Pdu): void {
  const bindType = bindTypes[pdu.command];
  if (bindType) session.respond(`bind_${bindType}_resp`, pdu.sequence, status.ESME_RSYSERR);
  session.end('as many sessions as may be');
}

function endsOf(socket: net.Socket): string {
  return `${socket.remoteAddress}:${socket.remotePort}`;
}

async function admit<T>(session: Session<T>, pdu: Pdu, options: ListenOptions<T>, bound: () => void): Promise<void> {
  const bindType = bindTypes[pdu.command];
  if (bindType === undefined || !('password' in pdu.fields) || !('systemType' in pdu.fields)) return;
  const answer = `bind_${bindType}_resp` as const;
  const { systemId, password, systemType, addressRange } = pdu.fields;
  const { remote } = session;
  const address = remote.slice(0, remote.lastIndexOf(':'));
  const bind = { systemId, password, bindType, systemType, addressRange, remote, address };
  session.beginBind();
  const withStatus = await verdictOf(session, () => options.authorise(bind));
  if (session.state === 'closed') return;
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

/** Nothing more is read until the verdict is known: the peer has to wait for it as well. */
async function verdictOf<T>(session: Session<T>, authorise: () => number | Promise<number>): Promise<number> {
  session.pauseReading();
  try {
    return await authorise();
  } catch {
    // Any error while deciding lets the peer try again later.
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
