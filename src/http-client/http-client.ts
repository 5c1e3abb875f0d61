// Requests to servers that we do not trust: webhook receivers and carriers over HTTP. We resolve the name, check the addresses
// and connect to exactly a checked one (the name stays in Host, SNI and the certificate check), redirects are not followed, one
// time limit covers the whole exchange, and at most 64 kB of an answer are read.
import {
  type Agent,
  type AgentOptions,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  Agent as PlainAgent,
  request as plainRequest,
} from 'node:http';
import { request as secureRequest, Agent as TlsAgent } from 'node:https';
import { isIP, isIPv4 } from 'node:net';
import { hostOf, isPublicAddress } from './public-address.ts';
import { createResolver, type ResolveHost, withMemory } from './resolve-host.ts';

/** `path`: below the client's URL; without it the URL itself. */
export type HttpRequest = { method: string; path?: string; headers: Record<string, string>; body: string | null };
type FailureReason =
  | 'url'
  | 'dns'
  | 'address'
  | 'timeout'
  | 'refused'
  | 'unreachable'
  | 'tls'
  | 'cut'
  | 'answer'
  | 'long';
export type Exchange = {
  /** Null: the answer is complete. */
  failure: { reason: FailureReason; text: string } | null;
  /** Whether the server may have received the request. */
  isWritten: boolean;
  /** The server closed a kept connection before it answered; it has probably not read the request. */
  isStale: boolean;
  /** 0 without an answer. */
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
};

export type HttpClientOptions = {
  url: string;
  /** Allows private addresses and plain http. */
  allowPrivate: boolean;
  timeoutMs: number;
  /** Kept connections: `timeout` is how long an idle one is kept. */
  agent: AgentOptions;
  tlsVerify?: boolean;
  /** For tests: names, which addresses count as public, and the certificates to trust. */
  resolve?: ResolveHost;
  isPublic?: (address: string) => boolean;
  ca?: string;
};

const answerBytesMax = 64 * 1024;
const errorCharactersMax = 150;
const cutOff = { reason: 'cut', text: 'the answer was cut off' } as const;
const sharedResolve = withMemory(createResolver());

/** The request was not written because of this. */
class Unsendable extends Error {
  readonly reason: FailureReason;

  constructor(reason: FailureReason, text: string) {
    super(text);
    this.reason = reason;
  }
}

export class HttpClient {
  readonly #options: HttpClientOptions;
  readonly #url: URL;
  readonly #host: string;
  readonly #isSecure: boolean;
  readonly #agent: Agent;
  readonly #resolve: ResolveHost;
  readonly #inFlight = new Set<ClientRequest>();
  /** Which of several addresses is tried next; moves on when one cannot be connected to. */
  #turn = 0;

  constructor(options: HttpClientOptions) {
    this.#options = options;
    this.#url = new URL(options.url);
    this.#host = hostOf(this.#url);
    this.#resolve = options.resolve ? withMemory(options.resolve) : sharedResolve;
    this.#isSecure = this.#url.protocol === 'https:';
    const settings: AgentOptions = { ...options.agent, keepAlive: true, scheduling: 'lifo' };
    this.#agent = this.#isSecure ? new TlsAgent(settings) : new PlainAgent(settings);
  }

  /** Connects and sends nothing; throws if no connection is possible. */
  async reach(): Promise<void> {
    let isConnected = false;
    const request: HttpRequest = { method: 'GET', path: '', headers: {}, body: null };
    const connected = () => {
      isConnected = true;
      return false;
    };
    const { failure } = await this.#exchange(request, connected, this.#options.timeoutMs, false);
    if (!isConnected) throw new Error(failure!.text);
  }

  /** Never throws. `mayWrite` is asked immediately before the request is written. */
  ask(request: HttpRequest, mayWrite = () => true, timeoutMs = this.#options.timeoutMs): Promise<Exchange> {
    return this.#exchange(request, mayWrite, timeoutMs, this.#agent);
  }

  /** Requests in flight end as failed. */
  close(): void {
    for (const request of this.#inFlight) request.destroy(new Error('the connection was closed by us'));
    this.#agent.destroy();
  }

  #exchange(given: HttpRequest, mayWrite: () => boolean, timeoutMs: number, agent: Agent | false): Promise<Exchange> {
    const nothing = { failure: null, isWritten: false, isStale: false, status: 0, headers: {} };
    const exchange: Exchange = { ...nothing, body: Buffer.alloc(0) };
    const chunks: Buffer[] = [];
    return new Promise(done => {
      let request: ClientRequest | undefined;
      let isOver = false;
      const end = (failure: Exchange['failure']) => {
        if (isOver) return;
        isOver = true;
        clearTimeout(timer);
        if (request) this.#inFlight.delete(request);
        Object.assign(exchange, { failure, body: Buffer.concat(chunks) });
        if (failure && !exchange.isWritten) this.#turn++;
        done(exchange);
        if (failure) request?.destroy();
      };
      const fail = (error: Error) => end({ reason: reasonOf(error), text: textOf(error) });
      const timer = setTimeout(
        () => end({ reason: 'timeout', text: `no answer within ${timeoutMs / 1_000} s` }),
        timeoutMs,
      );
      const start = (address: string) => {
        if (isOver) return;
        request = this.#start(address, given, agent);
        this.#inFlight.add(request);
        request.once('socket', socket => {
          // The idle time of the pool does not apply to answers.
          socket.setTimeout(0);
          const write = () => {
            if (!mayWrite()) return void request!.destroy(new Error('the request may no longer be sent'));
            exchange.isWritten = true;
            // As a string it leaves together with the headers, in one piece; bytes would be copied and gathered.
            request!.end(given.body ?? undefined);
          };
          if (request!.reusedSocket || !socket.connecting) write();
          else socket.once(this.#isSecure ? 'secureConnect' : 'connect', write);
        });
        request.once('error', error => {
          exchange.isStale = reasonOf(error) === 'cut' && request!.reusedSocket && exchange.status === 0;
          fail(error);
        });
        request.once('response', response => readAnswer(response, exchange, chunks, end));
      };
      this.#address().then(start).catch(fail);
    });
  }

  #start(address: string, { method, path, headers, body }: HttpRequest, agent: Agent | false): ClientRequest {
    const { pathname, search, host, port } = this.#url;
    const { tlsVerify = true, ca } = this.#options;
    const tls = { rejectUnauthorized: tlsVerify, ca, ...(isIP(this.#host) ? {} : { servername: this.#host }) };
    return (this.#isSecure ? secureRequest : plainRequest)({
      method,
      host: address,
      port: Number(port || (this.#isSecure ? 443 : 80)),
      path: path === undefined ? pathname + search : pathname.replace(/\/$/, '') + path,
      agent,
      setHost: false,
      headers: { host, 'content-length': Buffer.byteLength(body ?? ''), ...headers },
      ...(this.#isSecure ? tls : {}),
    });
  }

  async #address(): Promise<string> {
    const { allowPrivate, isPublic = isPublicAddress } = this.#options;
    const host = this.#host;
    if (!this.#isSecure && !allowPrivate) throw new Unsendable('url', 'plain http is only for private servers');
    const found = isIP(host) ? [host] : await this.#resolve(host).catch(() => []);
    if (found.length === 0) throw new Unsendable('dns', `${host} has no address`);
    if (!allowPrivate && !found.every(isPublic)) throw new Unsendable('address', `${host} has a private address`);
    const ordered = [...found.filter(isIPv4), ...found.filter(one => !isIPv4(one))];
    return ordered[this.#turn % ordered.length]!;
  }
}

function readAnswer(
  response: IncomingMessage,
  exchange: Exchange,
  chunks: Buffer[],
  end: (failure: Exchange['failure']) => void,
): void {
  let bytes = 0;
  exchange.status = response.statusCode ?? 0;
  exchange.headers = response.headers;
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > answerBytesMax) end({ reason: 'long', text: 'an answer of more than 64 kB' });
  });
  response.on('error', () => end(cutOff));
  response.on('close', () => end(response.complete ? null : cutOff));
}

const reasonOfCode: Record<string, FailureReason> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'cut',
  EPIPE: 'cut',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ETIMEDOUT: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  EPROTO: 'tls',
};

/** From Node's error codes of sockets, TLS and the HTTP parser. */
function reasonOf(error: NodeJS.ErrnoException): FailureReason {
  if (error instanceof Unsendable) return error.reason;
  const code = error.code ?? '';
  if (code.startsWith('HPE_')) return 'answer';
  const isTls = /^(ERR_)?(TLS|SSL|CERT|UNABLE|DEPTH|SELF|HOSTNAME)|_CERT|SSL/.test(code);
  return reasonOfCode[code] ?? (isTls ? 'tls' : 'unreachable');
}

function textOf(error: NodeJS.ErrnoException): string {
  return (error.code ? `${error.code}: ${error.message}` : error.message).slice(0, errorCharactersMax);
}
