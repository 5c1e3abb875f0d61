// The ESME side: connects (with or without TLS), binds, and returns the bound session. One attempt only: the caller decides
// when to retry, because a refused password and a dead host need different pauses.
import * as net from 'node:net';
import * as tls from 'node:tls';
import type { Pdu } from './codec.ts';
import { BindError, SmppError } from './pdu-error.ts';
import type { BindType } from './pdus.ts';
import type { SessionHandler } from './session.ts';
import { Session } from './session.ts';

type ConnectTls = { rejectUnauthorized?: boolean; ca?: string | Buffer; servername?: string };

export type ConnectOptions = {
  host: string;
  port: number;
  /** true: TLS with the system's authorities. Certificates are checked unless rejectUnauthorized is false. */
  tls?: ConnectTls | boolean;
  bind: BindType;
  systemId: string;
  password: string;
  systemType?: string;
  addressTon?: number;
  addressNpi?: number;
  addressRange?: string;
  window: number;
  responseTimeoutMs: number;
  enquireLinkMs: number;
  /** From the first packet to the answer of the bind. */
  connectTimeoutMs: number;
  maxPduBytes?: number;
};

const interfaceVersion = 0x34;

/**
 * Resolves when bound. Rejects with BindError (the peer refused, `status` says why), SmppError (no usable answer) or
 * the socket's error. The handler is called only for a session that was bound.
 */
export function connect<T>(options: ConnectOptions, handler: SessionHandler<T>): Promise<Session<T>> {
  return new Promise((resolve, reject) => {
    const socket = openSocket(options);
    const fail = (error: Error) => {
      clearTimeout(timer);
      socket.destroy();
      reject(error);
    };
    const timer = setTimeout(
      () => fail(new SmppError('timeout', `not bound within ${options.connectTimeoutMs} ms`)),
      options.connectTimeoutMs,
    );
    socket.on('error', fail);
    socket.once('close', () => fail(new SmppError('closed', 'the connection closed before the bind')));
    socket.once(options.tls ? 'secureConnect' : 'connect', () => {
      const session = new Session<T>(socket, { ...options, side: 'esme' }, unboundHandler(fail));
      bind(session, options, handler, fail, () => {
        clearTimeout(timer);
        resolve(session);
      });
    });
  });
}

function openSocket({ host, port, tls: secure }: ConnectOptions): net.Socket {
  if (!secure) return net.connect({ host, port, noDelay: true });
  // Server names are for names: TLS forbids an address there.
  const name = net.isIP(host) === 0 ? { servername: host } : {};
  return tls.connect({ host, port, ...name, ...(secure === true ? {} : secure) });
}

function bind<T>(
  session: Session<T>,
  options: ConnectOptions,
  handler: SessionHandler<T>,
  fail: (error: Error) => void,
  done: () => void,
): void {
  const fields = {
    systemId: options.systemId,
    password: options.password,
    systemType: options.systemType ?? '',
    interfaceVersion,
    addrTon: options.addressTon ?? 0,
    addrNpi: options.addressNpi ?? 0,
    addressRange: options.addressRange ?? '',
  };
  session.beginBind();
  // Synchronous on purpose: a receipt may follow the answer in the same packet.
  const settle = (error: Error | null, pdu: Pdu | null) => {
    if (error !== null) return fail(error);
    if (pdu !== null && pdu.status !== 0) {
      fail(new BindError(pdu.status));
      return session.end('bind refused');
    }
    session.completeBind(options.bind, handler);
    done();
  };
  try {
    session.ask(`bind_${options.bind}`, fields, [], settle);
  } catch (error) {
    fail(error as Error);
  }
}

function unboundHandler<T>(fail: (error: Error) => void): SessionHandler<T> {
  return {
    onSubmitAnswer() {},
    onSubmitLost() {},
    onRequest() {},
    onProtocolError: fail,
    onClose: reason => fail(new SmppError('closed', reason)),
  };
}
